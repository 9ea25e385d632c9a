import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Read } from './contract.ts';
import { DeliveriesPanel } from './deliveries/panel.tsx';
import { KeysPanel } from './keys/panel.tsx';
import { type DeveloperPageOptions, type View, views } from './options.ts';
import { AnnouncedContext, type Surroundings, SurroundingsContext } from './ui/surroundings.ts';
import { WebhooksPanel } from './webhooks/panel.tsx';

const labels: Readonly<Record<View, string>> = { keys: 'API keys', webhooks: 'Webhooks', deliveries: 'Deliveries' };

const shownForMs = 8_000;

/** Temporary notices, and the function that shows them. */
const useAnnouncement = () => {
  const [words, setWords] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const announce = (said: string) => {
    clearTimeout(timer.current);
    setWords(said);
    timer.current = setTimeout(() => setWords(''), shownForMs);
  };
  return { words, announce };
};

const step: Readonly<Record<string, (at: number) => number>> = {
  ArrowRight: (at) => (at + 1) % views.length,
  ArrowLeft: (at) => (at + views.length - 1) % views.length,
  Home: () => 0,
  End: () => views.length - 1,
};

export const Page = ({ invoke, account, view: first = 'keys', docsUrl, onViewChange, locale, timeZone }: DeveloperPageOptions) => {
  const id = useId();
  const [view, setView] = useState<View>(first);
  const [endpoint, setEndpoint] = useState('');
  const { words, announce } = useAnnouncement();
  const tabs = useRef<HTMLDivElement>(null);

  const surroundings = useMemo((): Surroundings => {
    const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', ...(timeZone ? { timeZone } : {}) });
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
    const number = new Intl.NumberFormat(locale);
    return {
      read: invoke as Read,
      invoke,
      announce,
      formatTime: (iso) => time.format(new Date(iso)),
      formatDay: (day) => date.format(new Date(day)),
      timeZone: time.resolvedOptions().timeZone,
      formatNumber: (value) => number.format(value),
    };
  }, [invoke, locale, timeZone]);

  const show = (next: View) => {
    setView(next);
    onViewChange?.(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = views[step[event.key]?.(views.indexOf(view)) ?? -1];
    if (!next) return;
    event.preventDefault();
    show(next);
    tabs.current?.querySelector<HTMLElement>(`[data-view=${next}]`)?.focus();
  };

  return (
    <SurroundingsContext.Provider value={surroundings}>
      <div class="developers-page">
        <header class="page-head">
          <div>
            <h1>Developers</h1>
            {account && (
              <p>
                {account.name ?? 'Account'} <code>{account.id}</code>
              </p>
            )}
          </div>
          {docsUrl !== undefined && <a href={docsUrl}>Guides and API reference</a>}
        </header>
        <div class="tabs" role="tablist" aria-label="Developers" ref={tabs} onKeyDown={onKeyDown}>
          {views.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-tab-${name}`}
              data-view={name}
              aria-selected={name === view}
              aria-controls={`${id}-panel`}
              tabIndex={name === view ? 0 : -1}
              onClick={() => show(name)}
            >
              {labels[name]}
            </button>
          ))}
        </div>
        <section role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${view}`}>
          <AnnouncedContext.Provider value={words}>
            {view === 'keys' && <KeysPanel />}
            {view === 'webhooks' && (
              <WebhooksPanel
                onDeliveries={(chosen) => {
                  setEndpoint(chosen);
                  show('deliveries');
                }}
              />
            )}
            {view === 'deliveries' && <DeliveriesPanel endpoint={endpoint} onEndpoint={setEndpoint} />}
          </AnnouncedContext.Provider>
        </section>
        <p class="toast" role="status">
          {words}
        </p>
      </div>
    </SurroundingsContext.Provider>
  );
};
