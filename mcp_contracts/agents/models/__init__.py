"""The models of providers, each using the caller's client object."""
