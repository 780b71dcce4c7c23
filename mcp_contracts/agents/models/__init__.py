"""The models of providers, over the client object that the caller has."""
