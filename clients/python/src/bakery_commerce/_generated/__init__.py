"""Made from docs/openapi.json; `npm run client` writes it."""
