// English texts. The dashboard: the user's avatar and posts.
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
    /** An operator has hidden the post. */
    hidden: 'hidden',
    edit: (title: string) => `Edit ${title}`,
    empty: 'You have not written anything yet.',
    emptyHint: 'Drafts, posts and their reads will appear here.',
    nonePublished: 'Nothing published yet.',
    writeFirst: 'Write your first post',
  },
  readerDashboard: {
    count: countOfReader,
    all: (total: number) => `All ${total}`,
    likes: {
      title: 'Liked posts',
      empty: 'No likes yet.',
      emptyHint: 'Posts that you like appear here.',
      failed: 'Your likes could not be loaded. Try again.',
      unlike: (title: string) => `Take back your like of ${title}`,
      unliked: (title: string) => `You no longer like “${title}”.`,
      undo: 'Undo',
      notSaved: 'Your like was not saved.',
    },
    comments: {
      title: 'Your comments',
      empty: 'No comments yet.',
      emptyHint: 'What you write under posts appears here, with the number of replies.',
      failed: 'Your comments could not be loaded. Try again.',
      waiting: 'waiting',
      hidden: { author: 'hidden by the author of the post', operator: 'hidden by an operator' },
      under: (title: ReactNode) => <>under “{title}”</>,
      replies: (count: number) => (count === 1 ? '1 reply' : `${count} replies`),
      goTo: (title: string) => `Go to the comment under ${title}`,
    },
  },
  reads: {
    title: 'Reads',
    span: 'Last 30 days',
    sum: (count: ReactNode, number: number) => (
      <>
        {count} {number === 1 ? 'read' : 'reads'}
      </>
    ),
    todaySum: (count: ReactNode) => <>{count} today</>,
    label: (count: number) => (count === 1 ? '1 read in 30 days' : `${count} reads in 30 days`),
    peak: (day: string, count: number) => `most on ${day}: ${count}`,
    today: 'today',
    /** One sentence for screen readers instead of the chart. */
    chartLabel: describeReads,
    perPost: 'Reads per post, last 30 days',
    post: 'Post',
    spanColumn: '30 days',
    everyDay: 'Every day as a table',
    everyDayTable: 'Reads of every day',
    day: 'Day',
    count: 'Reads',
    slow: 'The first reads come slowly.',
    how: 'Counted without cookies and without addresses. Only you see these numbers.',
    turnOff: 'Turn them off',
  },
}

type ReadsOfSpan = { sum: number; min: number; max: number; maxDay: string; today: number }

function describeReads({ sum, min, max, maxDay, today }: ReadsOfSpan): string {
  if (sum === 0) return 'Reads a day over the last 30 days: none yet.'
  return `Reads a day over the last 30 days: ${sum} in all, between ${min} and ${max}, most on ${maxDay}, ${today} today.`
}

type OwnCounts = {
  active: number
  /** Inactive posts, and unsaved texts on this device. */
  drafts: number
  scheduled: number
}

/** "3 posts. 2 drafts, 1 scheduled." */
function countOwnPosts({ active, drafts, scheduled }: OwnCounts): string {
  if (active === 0 && drafts === 0 && scheduled === 0) return 'Nothing written yet. No rush.'
  const postCount = active === 0 ? '' : `${active} ${active === 1 ? 'post' : 'posts'}.`
  const draftCount = drafts === 0 ? '' : `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}`
  const scheduledCount = scheduled === 0 ? '' : `${scheduled} scheduled`
  const inactiveCount = [draftCount, scheduledCount].filter(Boolean).join(', ')
  return [postCount, inactiveCount && `${inactiveCount}.`].filter(Boolean).join(' ')
}

/** "You have liked 14 posts and written 6 comments." */
function countOfReader(likes: number, comments: number): string {
  if (likes === 0 && comments === 0) return 'Nothing liked or written yet. No rush.'
  const liked = `liked ${likes} ${likes === 1 ? 'post' : 'posts'}`
  const written = `written ${comments} ${comments === 1 ? 'comment' : 'comments'}`
  return `You have ${[likes > 0 && liked, comments > 0 && written].filter(Boolean).join(' and ')}.`
}
