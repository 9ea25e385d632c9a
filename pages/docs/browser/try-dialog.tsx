import { useEffect, useRef, useState } from 'preact/hooks';
import type { Demo } from './demo.ts';
import { type Operation, type Parameter, requestOf } from './operations.ts';

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: string;
  readonly body: string;
}

/** Headers that say something about the request; the others are those of every answer. */
const telling = /^(x-request-id|x-ratelimit-.*|retry-after|idempotent-replayed|cache-control)$/;

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const send = async (operation: Operation, values: Readonly<Record<string, string>>, key: string, body: string): Promise<Answer> => {
  const { url, headers } = requestOf(operation, values);
  const hasBody = operation.bodies.length > 0;
  const response = await fetch(url, {
    method: operation.method,
    headers: { authorization: `Bearer ${key}`, ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    ...(hasBody ? { body } : {}),
    cache: 'no-store',
    credentials: 'omit',
  });
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers].flatMap(([name, value]) => (telling.test(name) ? `${name}: ${value}` : [])).join('\n'),
    body: pretty(await response.text()),
  };
};

const Field = ({ parameter, value, onInput }: { parameter: Parameter; value: string; onInput: (value: string) => void }) => {
  const { name, schema, in: place } = parameter;
  const id = `try-${name}`;
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code> {place === 'path' ? '' : 'optional'}
      </label>
      {schema?.enum ? (
        <select id={id} value={value} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          <option value="">not sent</option>
          {schema.enum.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={value}
          required={place === 'path'}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </div>
  );
};

const firstValues = ({ id }: Operation, { account }: Demo): Record<string, string> =>
  id === 'retrieveProduct' && account ? { id: account.product } : {};

const Form = ({ operation, demo }: { operation: Operation; demo: Demo }) => {
  const [key, setKey] = useState(demo.account?.secretKey ?? '');
  const [values, setValues] = useState(() => firstValues(operation, demo));
  const [body, setBody] = useState(operation.bodies[0]?.text ?? '');
  const [answer, setAnswer] = useState<Answer | string>();
  const [isSending, setSending] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer) place.current?.scrollIntoView({ block: 'start' });
  }, [answer]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setAnswer(await send(operation, values, key, body).catch(() => 'The local service does not answer. Is it still running?'));
    setSending(false);
  };

  return (
    <form onSubmit={submit}>
      <label class="field">
        <span>API key{demo.account ? ` of ${demo.account.name} (${demo.region})` : ''}</span>
        <input value={key} required autocomplete="off" spellcheck={false} onInput={({ currentTarget }) => setKey(currentTarget.value)} />
      </label>
      {demo.account && operation.takesPublishable && (
        <p class="choices">
          <button type="button" onClick={() => setKey(demo.account?.secretKey ?? '')}>
            Demo secret key
          </button>
          <button type="button" onClick={() => setKey(demo.account?.publishableKey ?? '')}>
            Demo publishable key
          </button>
        </p>
      )}
      {operation.parameters.map((parameter) => (
        <Field
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          onInput={(value) => setValues((before) => ({ ...before, [parameter.name]: value }))}
        />
      ))}
      {operation.bodies.length > 1 && (
        <label class="field">
          <span>Example</span>
          <select onChange={({ currentTarget }) => setBody(operation.bodies[currentTarget.selectedIndex]?.text ?? '')}>
            {operation.bodies.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {operation.bodies.length > 0 && (
        <label class="field">
          <span>Body</span>
          <textarea
            rows={Math.min(16, body.split('\n').length + 1)}
            spellcheck={false}
            value={body}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
          />
        </label>
      )}
      <button type="submit" class="send" disabled={isSending}>
        {isSending ? 'Sending…' : 'Send'}
      </button>
      <div class="answer" role="status" ref={place}>
        {typeof answer === 'string' && <p class="failed">{answer}</p>}
        {typeof answer === 'object' && (
          <>
            <p class={answer.status < 400 ? 'good' : 'failed'}>
              {answer.status} {answer.statusText}
            </p>
            <pre>{answer.headers}</pre>
            <textarea
              aria-label="Body of the answer"
              readOnly
              rows={Math.min(16, answer.body.split('\n').length + 1)}
              value={answer.body}
            />
          </>
        )}
      </div>
    </form>
  );
};

/** One operation, ready to be sent to the local service. */
export const TryDialog = ({ operation, demo, onClose }: { operation: Operation; demo: Demo; onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="try" aria-labelledby="try-title" onClose={onClose}>
      <header>
        <h2 id="try-title">{operation.summary}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <p class="path">
        <strong>{operation.method}</strong> <code>/api/v2{operation.path}</code>
      </p>
      <Form operation={operation} demo={demo} />
    </dialog>
  );
};
