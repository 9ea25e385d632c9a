const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';
const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif';

/** Redoc in the colours of the site; it has one scheme only. */
export const theme = {
  breakpoints: { small: '50rem', medium: '64rem', large: '90rem' },
  spacing: { unit: 5, sectionVertical: 28, sectionHorizontal: 36 },
  colors: {
    primary: { main: '#8a3b12' },
    text: { primary: '#231f1c', secondary: '#5f564f' },
    border: { dark: '#e2dad2', light: '#e2dad2' },
    success: { main: '#17663a' },
    error: { main: '#9b1c1c' },
    http: {
      get: '#17663a',
      post: '#1a4f9c',
      patch: '#76510a',
      delete: '#9b1c1c',
    },
  },
  typography: {
    fontSize: '16px',
    fontFamily: sans,
    headings: { fontFamily: sans, fontWeight: '650' },
    code: { fontFamily: mono, fontSize: '14px', color: '#6b2d0d', backgroundColor: '#f5f0ea', wrap: true },
    links: { color: '#8a3b12', visited: '#8a3b12', hover: '#5c2509', textDecoration: 'underline' },
  },
  sidebar: { width: '17rem', backgroundColor: '#fffdfa', textColor: '#231f1c', activeTextColor: '#8a3b12' },
  rightPanel: { backgroundColor: '#2b2420', width: '38%' },
  codeBlock: { backgroundColor: '#1d1815' },
};
