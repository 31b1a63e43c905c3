// The dialog of a post's preview link.
export const previewLinks = {
  previewLink: {
    title: 'Preview link',
    about:
      'Anyone with this link can read the draft without an account, always as you last saved it.',
    aboutNone: 'Anyone with the link can read the draft without an account.',
    loading: 'Looking for a link…',
    label: 'Link',
    make: 'Create a link',
    makeAnother: 'Create a new link',
    copy: 'Copy',
    copied: 'Copied.',
    done: 'Done',
    withdraw: 'Withdraw',
    expiry: (days: number) => `It expires after ${days} days. You can withdraw it at any time.`,
    expires: (date: string) => `Expires on ${date}, or when the post is published.`,
    unopened: 'Not opened yet.',
    opened: (times: number, last: string) =>
      times === 1 ? `Opened once, ${last}.` : `Opened ${times} times, last ${last}.`,
    shownOnce: 'The link was shown when you made it. A new one ends it.',
    withdrawn: 'Withdrawn. The old link shows “This preview has ended”.',
    failed: (cause: string) => `That did not work. ${cause}`,
  },
}
