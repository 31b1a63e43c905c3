// English texts. Reporting posts and comments, and what operators do with reports.
import type { ReactNode } from 'react'
import type { CaseDecision, ReportReason } from '#contract/reports.ts'

const count = new Intl.NumberFormat('en')
const people = (number: number) => (number === 1 ? '1 person' : `${count.format(number)} people`)
const DONE: Record<CaseDecision['action'], string> = {
  hidden: 'hidden this',
  dismissed: 'dismissed this report',
  approved: 'approved this',
}

export const reports = {
  reports: {
    report: 'Report',
    morePost: 'More for this post',
    titles: { post: 'Report this post', comment: 'Report this comment' },
    hints: {
      post: 'The operators will see the post, your name and what you write here. Its author will not.',
      comment:
        'The operators will see the comment, your name and what you write here. Its author will not.',
    },
    legend: 'What is wrong with it?',
    reasons: {
      spam: 'Spam or advertising',
      insult: 'Insult or threat',
      private: 'Private information',
      illegal: 'Against the law',
      other: 'Something else',
    } satisfies Record<ReportReason, string>,
    details: 'Details',
    optional: 'optional',
    count: (typed: number, most: number) => `${typed} of ${most}`,
    send: 'Send report',
    sent: 'The report is sent.',
    reported: (date: ReactNode) => <>You reported this on {date}.</>,
  },
  adminQueue: {
    title: 'Comments and reports',
    inMenu: (waiting: number) => `${count.format(waiting)} waiting`,
    show: 'Show',
    waiting: (waiting: number) => (waiting > 0 ? `Waiting (${count.format(waiting)})` : 'Waiting'),
    done: 'Done',
    reportedBy: (reporters: number) => `reported by ${people(reporters)}`,
    needsApproval: 'needs approval',
    decisions: { hidden: 'hidden', dismissed: 'dismissed', approved: 'approved' },
    under: (post: ReactNode) => <>under {post}</>,
    post: (post: ReactNode) => <>the post {post}</>,
    draft: 'a post that is a draft now',
    deletedPerson: 'deleted person',
    quote: (words: string) => `“${words}”`,
    moreReports: (reports: number) => `${count.format(reports)} more`,
    hide: { comment: 'Hide comment', post: 'Hide post', approval: 'Hide' },
    dismiss: 'Dismiss report',
    approve: 'Approve',
    blockAll: 'Block and hide all',
    readPost: 'Read the post',
    reopen: 'Put back',
    blocking: {
      title: (name: string) => `Block ${name} and hide everything?`,
      text: 'They are signed out everywhere and can no longer sign in. All their posts and comments are hidden.',
    },
    outcomes: {
      hide: 'Hidden.',
      dismiss: 'Dismissed.',
      approve: 'Approved.',
      block: 'Blocked, and everything is hidden.',
      reopen: 'It waits again.',
    },
    alreadyDecided: (action: CaseDecision['action'], name: string) =>
      `${name} has already ${DONE[action]}.`,
    byAuthor: 'The author of the post',
    byProgram: 'A program with the key',
    privacyNote:
      'The author of what is hidden is told that it was hidden and why. Those who reported it are told that it was reviewed, not what you did.',
    empty: 'Nothing to review',
    noneHere: 'Nothing more on this page',
    emptyHint: 'Reports and comments that need approval appear here.',
    nothingDone: 'Nothing was decided yet.',
    review: 'Review',
    waitingForYou: 'Waiting for you',
    commentHeading: (title: string) => `A comment under “${title}”`,
    postHeading: (title: string) => `The post “${title}”`,
    firstComment: (name: string) => `A first comment by ${name}`,
    reportsTile: (reports: number) => (reports === 1 ? 'report' : 'reports'),
    waitingSince: (date: ReactNode) => <>waiting since {date}</>,
    noneWaiting: 'none waits',
    toApprove: (comments: number) =>
      `${count.format(comments)} ${comments === 1 ? 'needs' : 'need'} approval`,
  },
}
