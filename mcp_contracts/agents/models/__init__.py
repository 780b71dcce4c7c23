"""The models of providers, over the client object of the caller."""
