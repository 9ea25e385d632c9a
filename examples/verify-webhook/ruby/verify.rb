require "openssl"

module Webhook
  MAX_AGE_SECONDS = 300

  # Returns true if either signature header of a delivery signs its raw body.
  def self.genuine?(body, signature, previous, secret)
    [signature, previous].any? { |header| signed?(header, body, secret) }
  end

  def self.signed?(header, body, secret)
    t, v1 = /\At=(\d{1,12})[ \t]*,[ \t]*v1=([0-9a-f]{64})\z/.match(header.to_s)&.captures
    return false if t.nil? || (Time.now.to_i - t.to_i).abs > MAX_AGE_SECONDS

    expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{t}.#{body}")
    OpenSSL.fixed_length_secure_compare(expected, v1)
  end
  private_class_method :signed?
end
