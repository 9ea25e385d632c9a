import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Invoke, Read } from './contract.ts';
import { DeliveriesPanel } from './deliveries/panel.tsx';
import { KeysPanel } from './keys/panel.tsx';
import { type DeveloperPageOptions, type Shown, type View, views } from './options.ts';
import { RequestsPanel } from './requests/panel.tsx';
import { distanceOf } from './ui/ago.ts';
import { DownBanner } from './ui/banner.tsx';
import { AnnouncedContext, type Surroundings, SurroundingsContext } from './ui/surroundings.ts';
import { tokened } from './ui/tokens.ts';
import { saysDown } from './ui/work.ts';
import { WebhooksPanel } from './webhooks/panel.tsx';

const labels: Readonly<Record<View, string>> = { keys: 'API keys', webhooks: 'Webhooks', deliveries: 'Deliveries', requests: 'Requests' };

const shownForMs = 8_000;

/** Temporary notices, and the function that shows them. */
const useAnnouncement = () => {
  const [words, setWords] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const announce = (announcement: string) => {
    clearTimeout(timer.current);
    setWords(announcement);
    timer.current = setTimeout(() => setWords(''), shownForMs);
  };
  return { words, announce };
};

/** The host's function, and whether its last call found the service down. */
const useWatched = (invoke: Invoke) => {
  const [isDown, setDown] = useState(false);
  const watched = useMemo(
    (): Invoke =>
      async (...call) => {
        try {
          const result = await invoke(...call);
          setDown(false);
          return result;
        } catch (error) {
          setDown(saysDown(error));
          throw error;
        }
      },
    [invoke],
  );
  return { isDown, watched };
};

const minuteMs = 60_000;

/** Draws the page again each minute, so that distances from now stay true. */
const useMinutes = (): number => {
  const [minutes, setMinutes] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setMinutes((now) => now + 1), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return minutes;
};

const useFormats = (locale: string | undefined, timeZone: string | undefined) =>
  useMemo(() => {
    const zone = timeZone ? { timeZone } : {};
    const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone });
    const seconds = new Intl.DateTimeFormat(locale, { ...exactly, ...zone });
    const ago = new Intl.RelativeTimeFormat(locale, { style: 'short' });
    const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zone });
    const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', ...zone });
    const localDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...zone });
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
    const number = new Intl.NumberFormat(locale);
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, roundingMode: 'floor' } as object);
    return {
      formatAgo: (iso: string) => {
        const distance = distanceOf(Date.parse(iso), Date.now());
        return distance ? ago.format(...distance) : localDate.format(new Date(iso));
      },
      formatTime: (iso: string) => time.format(new Date(iso)),
      formatClock: (ms: number) => clock.format(ms),
      formatHour: (startMs: number, endMs: number) => `${weekday.format(startMs)}, ${clock.format(startMs)} – ${clock.format(endMs)}`,
      formatSeconds: (iso: string) => seconds.format(new Date(iso)),
      formatDay: (day: string) => date.format(new Date(day)),
      timeZone: time.resolvedOptions().timeZone,
      formatNumber: (value: number) => number.format(value),
      formatPercent: (ratio: number) => percent.format(ratio),
    };
  }, [locale, timeZone]);

const exactly = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const;

const step: Readonly<Record<string, (at: number) => number>> = {
  ArrowRight: (at) => (at + 1) % views.length,
  ArrowLeft: (at) => (at + views.length - 1) % views.length,
  Home: () => 0,
  End: () => views.length - 1,
};

interface TabsProps {
  /** Id that the ids of the tabs and the panel begin with. */
  readonly id: string;
  readonly view: View;
  readonly onShow: (view: View) => void;
}

const Tabs = ({ id, view, onShow }: TabsProps) => {
  const tabs = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = views[step[event.key]?.(views.indexOf(view)) ?? -1];
    if (!next) return;
    event.preventDefault();
    onShow(next);
    tabs.current?.querySelector<HTMLElement>(`[data-view=${next}]`)?.focus();
  };
  return (
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
          onClick={() => onShow(name)}
        >
          {labels[name]}
        </button>
      ))}
    </div>
  );
};

/** What the page shows: it follows its own links, and the host's address unless a dialog holds it. */
const useShown = (address: Shown, onViewChange: DeveloperPageOptions['onViewChange']) => {
  const [shown, setShown] = useState(address);
  const isMoved = useRef(false);
  /** The filters of each tab, as its address holds them. */
  const queries = useRef<Partial<Record<View, string>>>({ [address.view]: address.query });
  const move = useCallback((next: Shown) => {
    queries.current[next.view] = next.query;
    isMoved.current = true;
    setShown(next);
  }, []);
  const show: Surroundings['show'] = useCallback(
    (next, newQuery = queries.current[next] ?? '', newItem = '', step = 'push') => {
      move({ view: next, query: newQuery, item: newItem });
      onViewChange?.(next, newQuery, newItem, step);
    },
    [move, onViewChange],
  );
  const latest = useRef(address);
  const followed = useRef(address);
  const isHeld = useRef(false);
  const follow = () => {
    if (isHeld.current || latest.current === followed.current) return;
    followed.current = latest.current;
    move(latest.current);
  };
  useLayoutEffect(() => {
    latest.current = address;
    follow();
  }, [address]);
  const hold = useCallback(() => {
    isHeld.current = true;
    return () => {
      isHeld.current = false;
      follow();
    };
  }, []);
  const hasMoved = useCallback(() => isMoved.current, []);
  return { shown, hasMoved, show, hold };
};

interface PageProps extends Omit<DeveloperPageOptions, keyof Shown> {
  /** What the host's address says; another object after each step of the history. */
  readonly address: Shown;
}

export const Page = ({ invoke, account, address, docsUrl, listenCommand, onViewChange, locale, timeZone }: PageProps) => {
  const id = useId();
  const { shown, hasMoved, show, hold } = useShown(address, onViewChange);
  const { view, query, item } = shown;
  const [turn, setTurn] = useState(0);
  const { words, announce } = useAnnouncement();
  const { isDown, watched } = useWatched(invoke);
  const formats = useFormats(locale, timeZone);
  const minutes = useMinutes();
  const change = useMemo(() => tokened(watched), [watched]);

  const panel = useRef<HTMLElement>(null);
  const isFocusLost = useCallback(() => hasMoved() && document.activeElement === document.body, []);
  useEffect(() => {
    if (isFocusLost()) panel.current?.querySelector('h2')?.focus();
  }, [view, query, item]);

  const surroundings = useMemo(
    (): Surroundings => ({
      read: watched as Read,
      change,
      isDown,
      turn,
      show,
      hold,
      isFocusLost,
      announce,
      docsUrl,
      listenCommand,
      ...formats,
    }),
    [watched, change, isDown, turn, show, formats, docsUrl, listenCommand, minutes],
  );

  return (
    <SurroundingsContext.Provider value={surroundings}>
      <div class="developers-page">
        <header class="page-head">
          <h1>Developers</h1>
          {account && <p title={account.id}>{account.name ?? `Account ${account.id}`}</p>}
          <Tabs id={id} view={view} onShow={(next) => show(next, next === 'webhooks' ? '' : undefined)} />
          {docsUrl !== undefined && (
            <a href={docsUrl} aria-label="Guides and API reference">
              Guides<span> and API reference</span>
            </a>
          )}
          <p class="toast" role="status">
            {words}
          </p>
        </header>
        {isDown && <DownBanner onRetry={() => setTurn((now) => now + 1)} />}
        <section ref={panel} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${view}`}>
          <AnnouncedContext.Provider value={words}>
            {view === 'keys' && <KeysPanel />}
            {view === 'webhooks' && <WebhooksPanel query={query} item={item} />}
            {view === 'deliveries' && <DeliveriesPanel view="deliveries" query={query} item={item} />}
            {view === 'requests' && <RequestsPanel query={query} item={item} />}
          </AnnouncedContext.Provider>
        </section>
      </div>
    </SurroundingsContext.Provider>
  );
};
