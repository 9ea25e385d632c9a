/** How long AWS clients wait: a stuck connection must not outlive a request, and 3 tries of at most 3 s stay well within a function's 29 s. */
export const clientTimeouts = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;
