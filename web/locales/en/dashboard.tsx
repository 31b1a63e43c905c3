// English texts. The dashboard: the avatar and one's own posts.
import type { ReactNode } from 'react'

export const dashboard = {
  welcome: (name: ReactNode) => <>Welcome, {name}</>,
  profile: {
    label: 'Your profile',
    avatar: 'Your avatar',
    preview: 'New avatar, preview',
    change: 'Change Avatar',
  },
  avatar: {
    form: 'Change avatar',
    label: 'New avatar',
    missing: 'Choose an image first.',
    upload: 'Avatar upload',
  },
  avatarDownload: { button: 'Download', label: 'Download avatar' },
  avatarInvitation: { title: 'Choose an image', text: 'PNG, JPG, JPEG or GIF, up to 5 MB.' },
  avatarSteps: {
    checking: 'Checking Your Data...',
    uploading: 'Uploading your avatar...',
    updating: 'Updating your avatar...',
    done: 'Done! ...Avatar Will be updated across your device soon.',
  },
  avatarFailures: {
    tooLarge: 'File size should not exceed 5MB',
    cancelled: 'The upload was cancelled. Your avatar is as it was.',
    other: 'Your avatar could not be changed. Try again.',
  },
  ownPosts: {
    title: 'Your posts',
    page: 'Your page',
    count: countOwnPosts,
    loading: 'Loading',
    /** By the site administrator. */
    hidden: 'hidden',
    edit: (title: string) => `Edit ${title}`,
    empty: 'You have not written anything yet.',
    emptyHint: 'Drafts, posts and their reads will appear here.',
    nonePublished: 'Nothing published yet.',
    writeFirst: 'Write your first post',
  },
  reads: {
    title: 'Reads',
    span: 'Last 30 days',
    sum: (count: ReactNode, number: number) => (
      <>
        {count} {number === 1 ? 'read' : 'reads'}
      </>
    ),
    ofToday: (count: ReactNode) => <>{count} today</>,
    spoken: (count: number) => (count === 1 ? '1 read in 30 days' : `${count} reads in 30 days`),
    most: (day: string, count: number) => `most on ${day}: ${count}`,
    today: 'today',
    /** One sentence in the place of the drawing. */
    described: describeReads,
    perPost: 'Reads per post, last 30 days',
    post: 'Post',
    ofSpan: '30 days',
    everyDay: 'Every day as a table',
    everyDayTable: 'Reads of every day',
    day: 'Day',
    count: 'Reads',
    slow: 'The first reads come slowly.',
    how: 'Counted without cookies and without addresses. Only you see these numbers.',
    turnOff: 'Turn them off',
  },
}

type DescribedReads = { sum: number; least: number; most: number; mostOn: string; today: number }

function describeReads({ sum, least, most, mostOn, today }: DescribedReads): string {
  if (sum === 0) return 'Reads a day over the last 30 days: none yet.'
  return `Reads a day over the last 30 days: ${sum} in all, between ${least} and ${most}, most on ${mostOn}, ${today} today.`
}

type OwnCounts = {
  active: number
  /** Undefined while it is not known. */
  inactive: number | undefined
  /** With those that are only on this device. */
  drafts: number
}

/** "4 posts, 3 of them active. 2 drafts." */
function countOwnPosts({ active, inactive, drafts }: OwnCounts): string {
  const counted = inactive === undefined ? countActive(active) : countAll(active, inactive)
  if (drafts === 0) return counted
  const waiting = `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}.`
  return active + (inactive ?? 0) === 0 ? waiting : `${counted} ${waiting}`
}

function countActive(active: number): string {
  return `${active} active ${active === 1 ? 'post' : 'posts'}.`
}

function countAll(active: number, inactive: number): string {
  const total = active + inactive
  if (total === 0) return 'Nothing written yet. No rush.'
  const posts = `${total} ${total === 1 ? 'post' : 'posts'}`
  if (active === total) return `${posts}, ${total === 1 ? 'active' : 'all active'}.`
  return active === 0
    ? `${posts}, ${total === 1 ? 'inactive' : 'none of them active'}.`
    : `${posts}, ${active} of them active.`
}
