import type { PageAnswers } from '../contract.ts';
import { Badge } from '../ui/parts.tsx';

const reasons: Readonly<Record<string, string>> = {
  invalid_url: 'The URL may not be delivered to; nothing was sent.',
  redirect_not_followed: 'It answered with a redirect, and redirects are not followed.',
  http_error: 'It answered, but not with success.',
  no_response: 'No answer: it did not respond in time, refused the connection, or has no valid certificate.',
};

export const reasonOf = (error: string | null): string => (error === null ? '' : (reasons[error] ?? error));

/** Result of a test event. */
export const TestOutcome = ({
  result: { success, status_code, response_time_ms, error },
}: {
  readonly result: PageAnswers['webhook.test'];
}) => (
  <div class="outcome">
    <Badge tone={success ? 'good' : 'bad'}>{success ? 'Test delivered' : 'Test failed'}</Badge>
    <p>
      {status_code !== null && <>Status {status_code}</>}
      {response_time_ms !== null && <> in {response_time_ms} ms</>}
      {status_code !== null && '. '}
      {reasonOf(error)}
    </p>
  </div>
);
