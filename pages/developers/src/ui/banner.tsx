import { Icon } from './icon.tsx';

/** The only message while the service is down. */
export const DownBanner = ({ onRetry }: { readonly onRetry: () => void }) => (
  <div class="problem" role="alert">
    <Icon name="alert" />
    <p>
      <strong>The service does not answer.</strong> What you see may be out of date, and changes are not saved.
    </p>
    <button type="button" onClick={onRetry}>
      Try again
    </button>
  </div>
);
