import type { PageAnswers } from '../contract.ts';
import { Badge } from '../ui/parts.tsx';
import { statusWords } from '../ui/words.ts';

const reasons: Readonly<Record<string, string>> = {
  invalid_url: 'Deliveries to this URL are not allowed. Nothing was sent.',
  redirect_not_followed: 'Redirects are not followed.',
  http_error: 'Only a status from 200 to 299 counts as success.',
  no_response: 'No response: the server did not answer in time, refused the connection or has no valid certificate.',
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
      {status_code !== null && <>Status {statusWords(status_code)}</>}
      {response_time_ms !== null && <> in {response_time_ms} ms</>}
      {status_code !== null && '. '}
      {reasonOf(error)}
    </p>
  </div>
);
