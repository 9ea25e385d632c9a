import { longHeaders, type ServerSetup, type Software, statuses } from './software.ts';

const responses = statuses
  .map((status) =>
    status === 301
      ? 'http-request redirect location https://shop.example.com/moved code 301 if { path_beg /301/ } !forwarded'
      : `http-request return status ${status} ${status === 204 ? '' : 'content-type text/plain string ok'} if { path_beg /${status}/ } !forwarded`,
  )
  .join('\n  ');

const config = ({ http, https, python, both }: ServerSetup): string => `
global
  log stdout format raw local0
  tune.bufsize 65536
  tune.maxrewrite 40000
defaults
  mode http
  log global
  option httplog
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 1s
frontend receiver
  bind 127.0.0.1:${http}
  bind 127.0.0.1:${https} ssl crt ${both}
  acl forwarded path_end /old /chunked /gzip
  http-request early-hint Link "</style.css>; rel=preload" if { path_end /hints }
  ${longHeaders.map(([name, value]) => `http-after-response set-header ${name} "${value}" if { var(txn.long) -m found }`).join('\n  ')}
  http-request set-var(txn.long) path if { path_end /long }
  ${responses}
  default_backend python
backend python
  server python 127.0.0.1:${python}
`;

export const haproxy: Software = {
  name: 'HAProxy',
  files: (setup) => ({ 'haproxy.cfg': config(setup) }),
  command: ({ folder }) => ['haproxy', ['-db', '-f', `${folder}/haproxy.cfg`]],
  habits: {
    plain: {},
    long: {},
    // 103 Early Hints before the response.
    hints: {},
    tls: { port: 'https' },
    old: {},
    chunked: {},
    gzip: {},
  },
};
