import { type Html, html, joinHtml } from '../../shared/core/html.ts';
import type { Operation, Resolve } from './document.ts';
import { callOf, json, localised, type SampleTarget } from './samples.ts';

export const methodBadge = (method: string): Html => html`<strong class="method ${method.toLowerCase()}">${method}</strong>`;

const field = (id: string, label: Html | string, control: Html): Html =>
  html`<div class="field"><label for="${id}">${label}</label><div>${control}</div></div>`;

/** A form that sends the operation. It is hidden until the page's script runs. */
export const tryForm = (operation: Operation, siblings: readonly Operation[], target: SampleTarget | undefined, resolve: Resolve): Html => {
  const { id: operationId, method, path, parameters, keyTypes, examples } = operation;
  const named = (name: string) => `${operationId}-${name}`;
  const input = (name: string, value: string, more: Html) =>
    html`<input id="${named(name)}" name="${name}" value="${value}" autocomplete="off" spellcheck="false"${more}>`;
  const fields = parameters.map(({ name, in: where, required, schema }) => {
    const value = where === 'path' && target ? (callOf(operation, target, siblings).id ?? '') : '';
    const data = html` data-in="${where}"${required ? ' required' : ''}`;
    const options = resolve(schema).enum?.map((one) => html`<option>${String(one)}</option>`);
    const control = options
      ? html`<select id="${named(name)}" name="${name}"${data}><option value="">not sent</option>${options}</select>`
      : input(name, value, data);
    return field(named(name), html`<code>${name}</code>${required ? '' : html` <small>optional</small>`}`, control);
  });
  const bodies = examples.flatMap(({ summary, body }) =>
    body ? [{ summary, text: json(localised(body as object as Record<string, unknown>, target)) }] : [],
  );
  const choice = bodies.map(({ summary, text }) => html`<option value="${text}">${summary}</option>`);
  const keys =
    target?.key && target.publishableKey && keyTypes.includes('publishable')
      ? { 'secret key': target.key, 'publishable key': target.publishableKey }
      : {};
  const keyButtons = Object.entries(keys).map(([name, key]) => html`<button type="button" data-key="${key}">Demo ${name}</button>`);
  return html`<details class="try" hidden><summary>${methodBadge(method)} <code>${path}</code> <span class="open">Try it</span></summary><form data-method="${method}" data-path="${path}" novalidate><fieldset disabled>
<div class="inputs">
${target ? '' : field(named('base'), 'Address of the service', input('base', '', html` data-in="base" placeholder="https://us.api.example.com/api/v2" required`))}
${field(named('key'), 'API key', html`${input('key', target?.key ?? '', html` data-in="key" required`)}${keyButtons.length > 0 ? html`<p class="choices">${keyButtons}</p>` : ''}`)}
${joinHtml(fields, '\n')}
${bodies.length > 1 ? field(named('example'), 'Example', html`<select id="${named('example')}" data-in="example">${choice}</select>`) : ''}
${bodies[0] ? field(named('body'), 'Body', html`<textarea id="${named('body')}" name="body" data-in="body" rows="${Math.min(14, bodies[0].text.split('\n').length)}" spellcheck="false">${bodies[0].text}</textarea>`) : ''}
</div>
<p class="choices actions"><button type="submit" class="send">Send</button><button type="button" class="as-curl">Copy as curl</button></p>
<div class="response" role="status"></div>
</fieldset></form></details>`;
};
