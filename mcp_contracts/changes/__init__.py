"""The rules about changes between two versions of a contract, and how their tools are paired."""
