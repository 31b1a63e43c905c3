// English texts. Versions of a post, and deleted posts.
import type { ReactNode } from 'react'
import type { VersionKind } from '#contract/versions.ts'
import { countWord } from './shared.ts'

export const versions = {
  dayTimes: {
    today: (clock: string, isMidSentence: boolean) =>
      `${isMidSentence ? 'today' : 'Today'} ${clock}`,
    yesterday: (clock: string, isMidSentence: boolean) =>
      `${isMidSentence ? 'yesterday' : 'Yesterday'} ${clock}`,
    other: (date: string, clock: string) => `${date}, ${clock}`,
  },
  wordCount,
  versionList: {
    title: 'Versions',
    back: 'Edit post',
    lead: (title: string) => `“${title}”. The last 50 are kept; they go with the post.`,
    current: 'now',
    added: (words: number) => `+${words}`,
    removed: (words: number) => `−${words}`,
    words: ' words',
    onlyOne:
      'One version so far. Each save of a changed text adds one; autosaves within ten minutes count as one.',
    compare: (time: string) => `Compare the version of ${time}`,
    read: 'Read',
    readOf: (time: string) => `Read the version of ${time}`,
    restore: 'Restore',
    restoreNamed: (time: string) => `Restore the version of ${time}`,
    chosen: (count: number) =>
      ['Choose two to compare them.', 'One of two chosen', 'Two of two chosen'][count] ?? '',
    compareTwo: 'Compare the two',
    loading: 'Loading the versions',
    failed: 'The versions could not be loaded.',
  },
  versionKinds: {
    draft: 'First draft',
    published: 'Published',
    saved: 'Saved',
    autosaved: 'Autosaved',
    restored: 'Restored',
  } satisfies Record<VersionKind, string>,
  versionKindTimes: {
    autosaved: (from: string, to: string) => `Autosaved, ${from} to ${to}`,
    restored: (time: string) => `Restored from ${time}`,
    published: (begun: string) => `Published, begun ${begun}`,
  },
  comparing: {
    title: 'What changed',
    quoted: (title: string) => `“${title}”`,
    back: 'Versions',
    currentSide: (time: string) => `${time}, now`,
    side: (words: string, kind: string) => `${words}, ${kind}`,
    added: '+ added',
    removed: '− removed',
    changes: (count: number) =>
      count === 0 ? 'No changes' : count === 1 ? '1 change' : `${count} changes`,
    previous: 'Previous change',
    next: 'Next change',
    text: 'The text with its changes',
    signs: { added: 'Added: ', removed: 'Removed: ', changed: 'Changed: ' },
    titleSigns: {
      added: 'Title, added: ',
      removed: 'Title, removed: ',
      changed: 'Title, changed: ',
    },
    same: (count: number) => `${countWord(count)} paragraphs are the same.`,
    showSame: 'Show them',
    picture: (words: string) => (words ? `Picture: ${words}` : 'Picture'),
    video: 'Video',
    rule: 'Horizontal rule',
    textOf: (time: string) => `Text of ${time}`,
    restore: 'Restore',
    loading: 'Comparing the two',
    gone: 'One of the two versions is no longer available.',
  },
  readingVersion: {
    note: (time: string) => `The text of ${time}. Only you see this.`,
    failed: (reason: string) => `The version cannot be shown. ${reason}`,
    gone: 'It is no longer available.',
  },
  restoring: {
    title: 'Restore this version?',
    text: (time: string) =>
      `The text of ${time} becomes the current one. The current text stays in this list, so you can come back to it.`,
    confirm: 'Restore',
    done: (time: string) => `The text of ${time} is back.`,
    failed: (reason: string) => `The text was not restored. ${reason}`,
  },
  draftList: {
    title: 'Drafts',
    empty: 'No drafts.',
    emptyHint: 'What you begin and do not publish waits here, also from this device.',
    noTitle: 'No title yet',
    unnamed: 'draft without a title',
    saved: (time: ReactNode, words: number) => (
      <>
        saved {time}, {wordCount(words)}
      </>
    ),
    unsaved: (time: ReactNode, words: number) => (
      <>
        {time}, {wordCount(words)}
      </>
    ),
    onDevice: 'only on this device',
    changesHere: 'unsaved changes here',
    continue: 'Continue',
    continueNamed: (name: string) => `Continue: ${name}`,
    delete: (title: string) => `Delete the draft ${title}`,
    deleteUnnamed: 'Delete the draft without a title',
    question: 'Delete this draft?',
    questionText: 'Its text is only on this device and cannot be restored.',
    loading: 'Loading your drafts',
    failed: 'Your drafts on the server could not be loaded.',
  },
  deletedPosts: {
    title: 'Deleted posts',
    back: 'Dashboard',
    lead: 'Nobody else sees them. After 30 days a post and its pictures are permanently deleted.',
    heading: 'Deleted posts, the newest first',
    kept: (count: number) => `${count}, kept for 30 days`,
    deletedOn: (date: string) => `Deleted ${date}`,
    daysLeft: (days: number) => (days === 1 ? '1 day left' : `${days} days left`),
    restore: 'Restore',
    restoreNamed: (title: string) => `Restore ${title}`,
    deletePermanently: 'Delete permanently',
    deletePermanentlyNamed: (title: string) => `Delete permanently: ${title}`,
    restored: (title: string) => `“${title}” is back, as inactive.`,
    open: 'Open',
    question: 'Delete permanently?',
    questionText: (title: string) =>
      `“${title}”, its versions and its pictures are deleted immediately and cannot be restored.`,
    permanentlyDeleted: (title: string) => `“${title}” is permanently deleted.`,
    empty: 'Nothing here.',
    emptyHint: 'A post you delete waits here for 30 days.',
    loading: 'Loading the deleted posts',
    failed: (reason: string) => `That did not work. ${reason}`,
  },
}

function wordCount(words: number): string {
  return words === 1 ? '1 word' : `${words} words`
}
