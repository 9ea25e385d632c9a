import type { ComponentChildren, RefObject } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { Copyable } from './copyable.tsx';
import { Icon, type IconName } from './icon.tsx';
import { InDialogContext, useSurroundings } from './surroundings.ts';
import type { Failure } from './work.ts';

export type Tone = 'good' | 'bad' | 'rejected' | 'waiting' | 'quiet' | 'neutral';

const toneIcons: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  bad: 'alert',
  rejected: 'rejected',
  waiting: 'clock',
  quiet: 'off',
  neutral: 'dash',
};

/** A status in words; its mark and color repeat the meaning. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>
    <Icon name={toneIcons[tone]} />
    {children}
  </span>
);

interface TimeProps {
  readonly iso: string | null;
  readonly absent?: string;
  /** To the second instead of a distance from now. */
  readonly exact?: boolean;
}

/** A time, `3 min. ago`; the exact one shows when the pointer rests on it. */
export const Time = ({ iso, absent = '–', exact = false }: TimeProps) => {
  const { formatAgo, formatSeconds } = useSurroundings();
  if (iso === null) return <span>{absent}</span>;
  return (
    <time dateTime={iso} title={formatSeconds(iso)}>
      {exact ? formatSeconds(iso) : formatAgo(iso)}
    </time>
  );
};

/** A UTC day, shown as the same date in every zone. */
export const Day = ({ day, absent }: { readonly day: string | null; readonly absent: string }) => {
  const { formatDay } = useSurroundings();
  return day === null ? <span>{absent}</span> : <time dateTime={day}>{formatDay(day)}</time>;
};

interface ProblemProps {
  readonly failure: Failure | undefined;
  readonly onRetry?: (() => void) | undefined;
}

/** An error. If the service is down, the banner of the page says so instead. */
export const Problem = ({ failure, onRetry }: ProblemProps) => {
  const isInDialog = useContext(InDialogContext);
  if (!failure || (failure.isDown && !isInDialog)) return null;
  return (
    <div class="problem" role="alert">
      <Icon name="alert" />
      <p>{failure.message}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
};

/** Says that a change of unknown outcome may be sent again. It is for changes that make a record. */
export const RetryHint = ({ failure }: Pick<ProblemProps, 'failure'>) =>
  failure?.isDown ? <p class="hint">Send it again: nothing is made twice. If the first try worked, its choices count.</p> : null;

interface EmptyProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** A button that leads on. */
  readonly action?: ComponentChildren;
  /** Names the host's command that shows events in a terminal. */
  readonly listens?: boolean;
}

export const Empty = ({ title, children, action, listens = false }: EmptyProps) => {
  const { listenCommand } = useSurroundings();
  return (
    <div class="empty">
      <h3>{title}</h3>
      <p>{children}</p>
      {action}
      {listens && listenCommand !== undefined && (
        <p class="hint">
          Or receive events in a terminal: <Copyable text={listenCommand} what="Command" />
        </p>
      )}
    </div>
  );
};

interface PanelHeadProps {
  readonly title: string;
  /** Level of the heading. */
  readonly level?: 2 | 3;
  /** A link to the list that holds what the panel shows. */
  readonly back?: ComponentChildren;
  readonly intro?: string;
  /** Receives the focus if its element is removed. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
  /** The state of what the panel shows, for example that its list follows by itself. */
  readonly live?: ComponentChildren;
  /** The filters of the list below. */
  readonly filters?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export const PanelHead = ({ title, level = 2, back, intro, heading, live, filters, children }: PanelHeadProps) => {
  const Heading = `h${level}` as const;
  const { isFocusLost } = useSurroundings();
  // Also after a panel that was shown while this one loaded.
  useEffect(() => {
    if (isFocusLost()) heading.current?.focus();
  }, []);
  return (
    <header class="panel-head">
      {back}
      <Heading ref={heading} tabIndex={-1} title={back ? title : undefined}>
        {title}
      </Heading>
      {intro && <p>{intro}</p>}
      {live}
      {children && <div class="buttons">{children}</div>}
      {filters}
    </header>
  );
};

export const Loading = ({ what }: { readonly what: string }) => (
  <p class="loading" role="status">
    Loading {what}…
  </p>
);

interface FormButtonsProps {
  readonly busy: boolean;
  /** Label of the button that sends the form. */
  readonly action: string;
  readonly autofocus?: boolean;
  readonly onClose: () => void;
}

/** The buttons of a dialog's form. */
export const FormButtons = ({ busy, action, autofocus = false, onClose }: FormButtonsProps) => (
  <footer class="buttons">
    <button type="submit" class="primary" autofocus={autofocus} aria-disabled={busy}>
      {action}
    </button>
    <button type="button" onClick={onClose}>
      Cancel
    </button>
  </footer>
);

/** A sentence in which backticks mark code. */
export const Marked = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);
