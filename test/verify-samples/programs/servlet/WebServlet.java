package jakarta.servlet.annotation;

public @interface WebServlet {
  String value();
}
