// The text of notification mails. Names, titles and comments of members never become links.
import {
  type ArchiveOutcome,
  type MailKind,
  type Notification,
  UNSUBSCRIBE_PATH,
} from '#contract/notifications.ts'
import type { PublishProblem } from '#contract/posts.ts'
import { composeMail, type MailParts } from '../accounts/mails.ts'
import type { Mail } from '../mail/mailer.ts'
import type { SiteSnapshot } from '../site/site.ts'

type MailContent = { to: string; kind: MailKind; notifications: Notification[]; secret: string }

const SUBJECTS: Record<MailKind, string> = {
  replies: 'Replies to your comments',
  comments: 'Comments on your posts',
  likes: 'Likes of your posts',
  own: 'News about what you wrote',
  reports: 'Reports and comments to review',
}

/** The same words as on the unsubscribe page. */
const UNSUBSCRIBE_WORDS: Record<MailKind, string> = {
  replies: 'No more emails about replies',
  comments: 'No more emails about comments',
  likes: 'No more emails about likes',
  own: 'No more emails about what you wrote',
  reports: 'No more emails about reports',
}

export function notificationMail(
  site: SiteSnapshot,
  { to, kind, notifications, secret }: MailContent,
): Mail {
  const query = `?secret=${encodeURIComponent(secret)}`
  return composeMail(site, to, {
    kind: 'notifications',
    subject: SUBJECTS[kind],
    before: notifications.length === 1 ? 'This is new:' : `These ${notifications.length} are new:`,
    items: notifications.map((notification) => itemOf(site, notification)),
    after: [],
    unsubscribe: {
      label: UNSUBSCRIBE_WORDS[kind],
      url: site.publicUrl + UNSUBSCRIBE_PATH + query,
      oneClickUrl: `${site.publicUrl}/v1${UNSUBSCRIBE_PATH}${query}`,
    },
  })
}

type Item = NonNullable<MailParts['items']>[number]

function itemOf({ publicUrl }: SiteSnapshot, notification: Notification): Item {
  const path = pathOf(notification)
  return {
    text: sentenceOf(notification),
    quote: unlinked(notification.text),
    url: path && publicUrl + path,
  }
}

function pathOf({ kind, caseId, post, commentId, reason }: Notification): string {
  if (kind === 'archive') return reason.startsWith('blog') ? '/admin/import' : '/settings/data'
  if (kind === 'invitationAccepted') return '/admin/people'
  if (caseId || kind === 'approvalNeeded') return '/admin/queue'
  if (!post) return ''
  if (kind === 'publishFailed') return `/edit-post/${post.$id}`
  return commentId ? `/post/${post.$id}?comment=${commentId}#c-${commentId}` : `/post/${post.$id}`
}

const PUBLISH_PROBLEMS: Record<PublishProblem, string> = {
  imageMissing: 'The picture is missing. It stays scheduled until you add one or cancel.',
  authorMayNotWrite: 'Your account may not publish. It stays scheduled until it may or you cancel.',
}

const ARCHIVE_SENTENCES: Record<ArchiveOutcome, (posts: number) => string> = {
  imported: (posts) => `Your import is ready: ${posts === 1 ? '1 post' : `${posts} posts`}`,
  importFailed: () => 'Your import did not succeed',
  exported: () => 'Your export is ready',
  exportFailed: () => 'Your export did not succeed',
  blogImported: (posts) =>
    `The import of the blog is ready: ${posts === 1 ? '1 post' : `${posts} posts`}`,
  blogImportFailed: () => 'The import of the blog did not succeed',
  blogExported: () => 'The export of the blog is ready',
  blogExportFailed: () => 'The export of the blog did not succeed',
}

function sentenceOf({ kind, people, count, post, commentId, reason }: Notification): string {
  const names = namesOf(people)
  const title = post ? `“${isolatedLine(post.title)}”` : ''
  const because = reason ? ` (${unlinked(reason)})` : ''
  switch (kind) {
    case 'comment':
      return `${names} commented on ${title}`
    case 'reply':
      return `${names} replied to your comment on ${title}`
    case 'like':
      return `${names} ${people.total > 1 ? 'like' : 'likes'} ${title}`
    case 'commentHidden':
      return `Your comment was hidden under ${title}${because}`
    case 'postHidden':
      return `Your post was hidden: ${title}${because}`
    case 'publishFailed':
      return `Your scheduled post was not published: ${title}. ${PUBLISH_PROBLEMS[reason as PublishProblem]}`
    case 'archive':
      return ARCHIVE_SENTENCES[reason as ArchiveOutcome](count)
    case 'commentApproved':
      return `Your comment was approved under ${title}`
    case 'reportReviewed':
      return `What you reported was reviewed: ${title}`
    case 'invitationAccepted':
      return `${names} accepted your invitation`
    case 'reported':
      return `${commentId ? 'A comment was reported under' : 'A post was reported:'} ${title}`
    case 'approvalNeeded':
      return `${count === 1 ? 'A comment needs' : `${count} comments need`} approval under ${title}`
  }
}

function namesOf({ total, newest: [first, second] }: Notification['people']): string {
  if (!first) return total > 1 ? `${total} people` : 'Somebody'
  const others = total - (second ? 2 : 1)
  const more = others === 0 ? '' : others === 1 ? '1 other' : `${others} others`
  const names = [isolatedLine(first.name), second ? isolatedLine(second.name) : '', more].filter(
    Boolean,
  )
  const last = names.pop() ?? ''
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last
}

const CONTROL_CHARACTERS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** One line, isolated so that it cannot change the writing direction of the text around it. */
function isolatedLine(text: string): string {
  return `\u2068${unlinked(text.replace(/\s+/gu, ' ').replace(CONTROL_CHARACTERS, ''))}\u2069`
}

/** An invisible mark stops mail programs from turning what looks like an address into a link. */
function unlinked(text: string): string {
  return text.replace(/[.:@/](?=[^\s])/gu, '$&\u2060')
}
