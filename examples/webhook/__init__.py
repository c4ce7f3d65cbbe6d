"""An agent behind a webhook: an HTTP service that takes inputs, and a worker that handles them."""
