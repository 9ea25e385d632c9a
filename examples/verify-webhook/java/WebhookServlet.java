import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.GeneralSecurityException;

@WebServlet("/webhooks")
public final class WebhookServlet extends HttpServlet {
  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    var body = request.getInputStream().readAllBytes();
    var signature = request.getHeader("X-Webhook-Signature");
    var previous = request.getHeader("X-Webhook-Signature-Previous");
    var secret = System.getenv("BAKERY_WEBHOOK_SECRET");
    try {
      var isGenuine = WebhookSignature.isGenuine(body, signature, previous, secret);
      // If it is genuine, store the event here. Do the work after the response.
      response.setStatus(isGenuine ? 204 : 400);
    } catch (GeneralSecurityException error) {
      throw new ServletException(error);
    }
  }
}
