import type { PageResults } from '../contract.ts';
import { Badge } from '../ui/parts.tsx';
import { reasonOf, statusWords } from '../ui/words.ts';

/** Result of a test event. */
export const TestOutcome = ({
  result: { success, status_code, response_time_ms, error },
}: {
  readonly result: PageResults['webhook.test'];
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
