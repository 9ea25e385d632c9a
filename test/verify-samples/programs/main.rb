require ARGV.fetch(0)

# Calls the Rack app as a server does, with one delivery.
headers = { "HTTP_X_WEBHOOK_SIGNATURE" => ENV["SIGNATURE"], "HTTP_X_WEBHOOK_SIGNATURE_PREVIOUS" => ENV["PREVIOUS"] }
status, = Receiver.call({ "rack.input" => $stdin.binmode, **headers.compact })
print status == 204 ? "genuine" : "rejected"
