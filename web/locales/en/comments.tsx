// English texts. Comments below a post: reading, writing, moderating.
import type { ReactNode } from 'react'

export const comments = {
  comments: {
    title: 'Comments',
    order: 'Order',
    orders: { oldest: 'Oldest first', newest: 'Newest first' },
    feed: (title: string) => `Comments on “${title}”`,
    empty: 'No comments yet',
    emptyHint: 'Be the first to write one.',
    closed: 'Comments are closed. What was written stays.',
    failed: 'The comments did not load.',
    loading: 'Loading comments ...',
    noScript: 'Writing needs JavaScript. Reading works without.',
    signIn: 'Sign in to comment',
    signInHint: 'You come straight back to this place.',
    author: 'author',
    edited: 'edited',
    permalink: 'Address of this comment',
    deletedPerson: 'deleted person',
    gone: {
      deleted: 'This comment was deleted by its author.',
      author: 'The author of the post has hidden this comment.',
      operator: 'An operator has hidden this comment.',
    },
    ownHidden: {
      author: (date: ReactNode) => (
        <>Hidden by the author of the post on {date}. Only you see it.</>
      ),
      operator: (date: ReactNode) => <>Hidden by an operator on {date}. Only you see it.</>,
    },
    ownWaiting: 'Waiting for approval. Only you and the operators see it.',
    showAll: 'Show all',
    showLess: 'Show less',
    status: {
      waiting: 'waiting',
      needsApproval: 'needs approval',
      hidden: 'hidden',
      hiddenByYou: 'hidden by you',
    },
    moreReplies: (count: number) => `Show ${count} more ${count === 1 ? 'reply' : 'replies'}`,
    pages: {
      label: 'Pages of comments',
      inThread: 'In this thread',
      older: 'Older comments',
      newer: 'Newer comments',
      first: 'First page',
      newest: 'Newest',
      all: 'All comments',
      range: (first: string, last: string, total: string) =>
        `Comments ${first} to ${last} of ${total}`,
      replies: (first: string, last: string, total: string) =>
        `Replies ${first} to ${last} of ${total}`,
    },
    newComments: {
      comments: (count: number) => `${count} new ${count === 1 ? 'comment' : 'comments'}`,
      replies: (count: number) => `${count} new ${count === 1 ? 'reply' : 'replies'}`,
      show: (what: string) => `${what} · Show`,
      failed: 'The new comments did not load.',
    },
  },
  commentForm: {
    write: 'Write a comment',
    reply: (name: string) => `Reply to ${name}`,
    /** The beginning of a reply to a reply. */
    replyStart: (name: string) => `${name}, `,
    edit: 'Edit your comment',
    hint: (most: string) => `You can use links, \`code\` and > quotes. ${most} characters at most.`,
    editHint: (time: string) => `You can edit until ${time}. Readers see “edited”.`,
    preview: 'Preview',
    post: 'Post comment',
    save: 'Save',
    opening: 'Opening your comment…',
    notOpened: 'Your comment could not be opened.',
    sending: 'Posting the comment',
    posted: 'Comment posted',
    saved: 'Comment saved',
    waitsForApproval: 'Posted. Others see it once it has been approved.',
    waiting: 'Waiting for connection',
    notSent: (time: string) =>
      `Not sent yet. Kept on this device at ${time} and sent when you are back online.`,
    empty: 'Write something first.',
    tooLong: (most: string, over: string) =>
      `A comment can have ${most} characters at most. Take out ${over}.`,
    tooMuch: {
      lines: (most: string) => `A comment can have ${most} lines at most. Take some out.`,
      elements: (most: string) =>
        `A comment can have ${most} lines, links, quotes and pieces of code at most. Take some out.`,
      size: 'This comment has too many special signs or long links. Take some out.',
    },
    duplicate: 'You have posted this already.',
    tooMany: 'Too many comments. Wait a minute.',
    editTimeOver: 'The 15 minutes are over. You can delete the comment and write it again.',
    closed: 'Comments are closed. Your text is still here.',
    notSaved: 'This could not be saved. Your text is still here.',
  },
  commentActions: {
    reply: 'Reply',
    edit: 'Edit',
    delete: 'Delete',
    until: (time: string) => `editable until ${time}`,
    more: (name: string) => `More for the comment by ${name}`,
    hide: 'Hide comment',
    hideShort: 'Hide',
    hideAll: (name: string) => `Hide all by ${name}`,
    show: 'Show again',
    approve: 'Approve',
    undo: 'Undo',
    done: {
      deleted: 'Comment deleted.',
      hidden: 'Comment hidden.',
      shown: 'Comment shown.',
      allHidden: (name: string) => `All comments by ${name} here are hidden.`,
    },
    deletion: {
      title: 'Delete this comment?',
      text: 'It is deleted permanently. Replies to it stay.',
    },
    hiding: {
      title: (name: string) => `Hide all by ${name}?`,
      text: 'Their comments under this post are hidden. You can show each of them again.',
      confirm: 'Hide all',
    },
    failed: (reason: string) => `This did not work. ${reason}`,
    open: 'Comments are open',
    openHint:
      'You can hide single comments. Closing keeps the existing ones and allows no new ones.',
    close: 'Close comments',
    closed: 'Comments are closed',
    closedHint: 'What was written stays.',
    reopen: 'Open comments',
  },
}
