require ARGV.fetch(0)

signature, previous, secret = ENV.values_at("SIGNATURE", "PREVIOUS", "SECRET")
print Webhook.genuine?($stdin.binmode.read, signature, previous, secret) ? "genuine" : "rejected"
