require_relative "verify"

# A Rack app. In config.ru: run Receiver. In Rails' routes: mount Receiver => "/webhooks".
Receiver = lambda do |env|
  body = env["rack.input"].read
  signature, previous = env.values_at("HTTP_X_WEBHOOK_SIGNATURE", "HTTP_X_WEBHOOK_SIGNATURE_PREVIOUS")
  next [400, {}, []] unless Webhook.genuine?(body, signature, previous, ENV.fetch("BAKERY_WEBHOOK_SECRET"))

  # Store the event here. Do the work after the response.
  [204, {}, []]
end
