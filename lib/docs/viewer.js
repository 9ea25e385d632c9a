/**
 * Runs in CloudFront at each request: sends the page of a folder, as S3 has no index documents for
 * CloudFront, and redirects a folder's name without a slash, because the links of a page are
 * relative.
 */
function handler({ request }) {
  const { uri, headers } = request;
  if (uri.endsWith('/')) {
    request.uri = `${uri}index.html`;
    return request;
  }
  if (/\.(html|js|css|json|md|svg|txt|xml|png)$/.test(uri)) return request;
  // Absolute, because `//other.example` would lead to another host.
  const location = { value: `https://${headers.host.value}${uri}/` };
  return { statusCode: 308, statusDescription: 'Permanent Redirect', headers: { location } };
}
