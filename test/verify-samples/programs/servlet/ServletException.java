package jakarta.servlet;

public class ServletException extends Exception {
  public ServletException(Throwable cause) {
    super(cause);
  }
}
