package jakarta.servlet.http;

import java.io.InputStream;

public interface HttpServletRequest {
  InputStream getInputStream();

  String getHeader(String name);
}
