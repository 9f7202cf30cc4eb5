"""The playground: the live page with the core as WebAssembly, in static files."""
