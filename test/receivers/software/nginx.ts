import { longHeaders, policyOfLines, type ServerSetup, type Software, statuses } from './software.ts';

const locations = (habit: string, ...directives: string[]): string =>
  statuses
    .map((status) => {
      const body = status === 204 ? '' : status === 301 ? ' https://shop.example.com/moved' : ' "ok\\n"';
      return `location = /${status}/${habit} { ${directives.join(' ')} return ${status}${body}; }`;
    })
    .join('\n    ');

const config = ({ folder, http, https, python, chain, key }: ServerSetup): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  log_format line '$request $status';
  access_log ${folder}/access.log line;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_timeout 1s;
  server {
    listen 127.0.0.1:${http};
    listen 127.0.0.1:${https} ssl;
    ssl_certificate ${chain};
    ssl_certificate_key ${key};
    ${locations('plain')}
    ${locations('tls')}
    ${locations('folded', `add_header Content-Security-Policy "${policyOfLines}" always;`)}
    ${locations('long', ...longHeaders.map(([name, value]) => `add_header ${name} "${value}" always;`))}
    ${locations('closing', 'keepalive_timeout 0;')}
    location /413/small { client_max_body_size 10; proxy_pass http://127.0.0.1:${python}; }
    location / { proxy_pass http://127.0.0.1:${python}; }
  }
}
`;

export const nginx: Software = {
  name: 'nginx',
  files: (setup) => ({ 'nginx.conf': config(setup) }),
  command: ({ folder }) => ['nginx', ['-p', folder, '-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`]],
  log: 'access.log',
  habits: {
    plain: {},
    folded: {},
    long: {},
    closing: {},
    tls: { port: 'https' },
    // Rejects the body before it is read.
    small: { statuses: [413] },
    // Forwarded to Python's server. One without a length reaches us chunked.
    old: {},
    chunked: {},
    gzip: {},
  },
};
