// English texts. The bell, its list, and the page of notifications.
import type { ReactNode } from 'react'
import type {
  ArchiveOutcome,
  MailChoices,
  MailFrequency,
  MailKind,
  NotificationKind,
} from '#contract/notifications.ts'
import type { PublishProblem } from '#contract/posts.ts'

const SHOWN_COUNT_MAX = 99
const DELETED_POST = 'a post that is no longer there'

/** The values in a notification's sentence. Names and titles are already rendered. */
type NotificationParts = {
  /** At most two. */
  names: ReactNode[]
  others: number
  count: number
  /** Undefined for a deleted post. */
  post: ReactNode | undefined
  isComment: boolean
  reason: string
}

function people({ names: [first, second], others }: NotificationParts): ReactNode {
  const more = others === 1 ? '1 other' : `${others} others`
  if (!first) return others > 1 ? `${others} people` : 'Somebody'
  if (!second && others === 0) return first
  if (!second)
    return (
      <>
        {first} and {more}
      </>
    )
  return others > 0 ? (
    <>
      {first}, {second} and {more}
    </>
  ) : (
    <>
      {first} and {second}
    </>
  )
}

function postTitle({ post }: NotificationParts): ReactNode {
  return post === undefined ? DELETED_POST : <>“{post}”</>
}

function about(event: string, parts: NotificationParts, preposition = 'under'): ReactNode {
  return (
    <>
      <b>{event}</b> {preposition} {postTitle(parts)}
    </>
  )
}

const postCount = (posts: number) => (posts === 1 ? '1 post' : `${posts} posts`)
const archiveTexts: Record<ArchiveOutcome, (posts: number) => string> = {
  imported: (posts) => `Your import is ready: ${postCount(posts)}.`,
  importFailed: () => 'Your import did not succeed.',
  exported: () => 'Your export is ready.',
  exportFailed: () => 'Your export did not succeed.',
  blogImported: (posts) => `The import of the blog is ready: ${postCount(posts)}.`,
  blogImportFailed: () => 'The import of the blog did not succeed.',
  blogExported: () => 'The export of the blog is ready.',
  blogExportFailed: () => 'The export of the blog did not succeed.',
}

export const notifications = {
  bell: {
    title: 'Notifications',
    button(newCount: number): string {
      if (newCount === 0) return 'Notifications'
      return newCount > SHOWN_COUNT_MAX
        ? `Notifications, more than ${SHOWN_COUNT_MAX} new`
        : `Notifications, ${newCount} new`
    },
    number: (newCount: number) =>
      newCount > SHOWN_COUNT_MAX ? `${SHOWN_COUNT_MAX}+` : String(newCount),
    readAll: 'Mark all as read',
    seeAll: 'See all',
    settings: 'Email settings',
    isNew: 'New',
    loading: 'Loading notifications ...',
    failed: 'The notifications did not load.',
    offline: (time: string) => `As of ${time}. New ones appear when you are back online.`,
    empty: 'Nothing new',
    emptyHint: 'Replies, comments on your posts and likes appear here.',
    newCount: (count: number) => `${count} new`,
    show: (newCount: string) => `${newCount} · Show`,
    filter: 'Show',
    filters: {
      all: () => 'All',
      new: (unread: number) =>
        unread === 0
          ? 'New'
          : unread > SHOWN_COUNT_MAX
            ? `New (${SHOWN_COUNT_MAX}+)`
            : `New (${unread})`,
      comments: () => 'Comments',
      likes: () => 'Likes',
    },
    today: 'Today',
    yesterday: 'Yesterday',
    newest: 'Newest',
    older: 'Show older',
    retention: 'Kept for 90 days.',
    more: (title: string) => `More for ${title}`,
    mute: 'Mute this post',
    unmute: 'Unmute this post',
    muted: (title: string) => `Nothing more of “${title}”.`,
    unmuted: (title: string) => `“${title}” is not muted.`,
    undo: 'Undo',
    hiddenBy: { author: 'by the author of the post', operator: 'by an operator' },
    problems: {
      imageMissing: 'The picture is missing. It stays scheduled until you add one or cancel.',
      authorMayNotWrite:
        'Your account may not publish. It stays scheduled until it may or you cancel.',
    } satisfies Record<PublishProblem, string>,
    sentences: {
      comment: (parts) => (
        <>
          <b>{people(parts)}</b> commented on {postTitle(parts)}
        </>
      ),
      reply: (parts) => (
        <>
          <b>{people(parts)}</b> replied to your comment on {postTitle(parts)}
        </>
      ),
      like: (parts) => (
        <>
          <b>{people(parts)}</b> {parts.names.length + parts.others > 1 ? 'like' : 'likes'}{' '}
          {postTitle(parts)}
        </>
      ),
      commentHidden: (parts) => about('Your comment was hidden', parts),
      postHidden: (parts) => about('Your post was hidden', parts, ''),
      publishFailed: (parts) => about('Not published', parts, ''),
      archive: ({ reason, count }) => <b>{archiveTexts[reason as ArchiveOutcome](count)}</b>,
      commentApproved: (parts) => about('Your comment was approved', parts),
      reportReviewed: (parts) => about('What you reported was reviewed', parts),
      invitationAccepted: (parts) => (
        <>
          <b>{people(parts)}</b> accepted your invitation
        </>
      ),
      reported: (parts) =>
        parts.isComment ? about('A comment was reported', parts) : about('Reported', parts, ''),
      approvalNeeded: (parts) =>
        about(
          parts.count === 1 ? 'A comment needs approval' : `${parts.count} comments need approval`,
          parts,
        ),
    } satisfies Record<NotificationKind, (parts: NotificationParts) => ReactNode>,
  },
  notificationMails: {
    title: 'Email settings',
    text: 'The bell shows everything in any case. Choices are saved at once.',
    kinds: {
      replies: { name: 'Replies to your comments', hint: '' },
      comments: { name: 'Comments on your posts', hint: '' },
      likes: { name: 'Likes', hint: 'Gathered: one line for each post and day' },
      own: {
        name: 'What you wrote or reported, and your invitations',
        hint: 'When it is hidden, approved, reviewed or accepted',
      },
      reports: { name: 'Reports and approvals', hint: 'You are an operator' },
    } satisfies Record<MailKind, { name: string; hint: string }>,
    frequencies: {
      atOnce: 'At once',
      daily: 'Once a day',
      never: 'Never',
    } satisfies Record<MailFrequency, string>,
    loading: 'Loading your choices ...',
    states: {
      on: (email: ReactNode) => (
        <>
          Emails go to {email}. Each one has a link to stop its kind with one press, without signing
          in.
        </>
      ),
      unverified: (email: ReactNode) => (
        <>Emails go to {email} once you have confirmed that it is yours.</>
      ),
      off: (_email: ReactNode) => 'This site sends no email yet. The bell works.',
    } satisfies Record<MailChoices['state'], (email: ReactNode) => ReactNode>,
    muted: 'Muted posts',
    mutedText: 'No bell and no email for these.',
    by: (author: ReactNode, time: ReactNode) => (
      <>
        by {author}, muted on {time}
      </>
    ),
  },
  unsubscribe: {
    screen: 'Email settings',
    question: 'Stop these emails?',
    questionText: 'The bell goes on showing what is new.',
    stop: 'Stop these emails',
    done: {
      replies: 'You get no more emails about replies.',
      comments: 'You get no more emails about comments.',
      likes: 'You get no more emails about likes.',
      own: 'You get no more emails about what you wrote.',
      reports: 'You get no more emails about reports.',
    } satisfies Record<MailKind, string>,
    invalid: 'This link does not work',
    invalidText: 'It may be incomplete. Your email settings can stop these emails, too.',
  },
}
