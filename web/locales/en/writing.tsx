// English texts. The form of a post, its editor, and unsaved text.
import type { ReactNode } from 'react'
import { countWord } from './shared.ts'

export const writing = {
  statuses: { active: 'active', inactive: 'inactive' },
  editPost: {
    title: 'Edit post',
    failed:
      'The post did not load. Your connection may have dropped, or the server is temporarily unavailable.',
  },
  pageForm: {
    add: 'New page',
    pages: 'Pages',
    saved: 'Page saved.',
    edit: 'Edit page',
    address: (path: string) => `Its address is ${path}.`,
    statusHint: 'Everybody can read an active page. Operators see inactive ones.',
  },
  postFields: {
    title: 'Title',
    titleInvitation: 'Give it a name',
    slug: 'Slug',
    content: 'Content',
    tags: 'Tags',
    image: 'Featured image',
    status: 'Status',
  },
  postForm: {
    slugFixed: 'The address stays the same after publishing.',
    slugGenerated: 'Made for you from the time. This becomes the address of the post.',
    imageInvitation: {
      title: 'Drop an image here',
      text: 'or choose one. PNG, JPG, JPEG or GIF.',
      touch: { title: 'Choose an image', text: 'PNG, JPG, JPEG or GIF.' },
    },
    imageTooLarge: (megabytes: number) =>
      `This image is larger than ${megabytes} MB. Choose a smaller one.`,
    statusHint: 'Active posts show in the feed. Inactive posts stay with you.',
    saveDraft: 'Save draft',
    publish: 'Publish …',
    previewLink: 'Preview link',
    writingView: 'Writing view',
    update: 'Update',
    imageHint:
      'WebP, AVIF and HEIC are converted to JPEG. An inactive post can wait without an image.',
    /** For posts whose image is an address or an unknown name, written by another program. */
    imageExternal:
      'The image of this post is not kept here, so it is not shown. It stays with the post until you choose another one.',
    deviceFull:
      'This browser has no room for a copy of your text. Save it before you leave this page.',
  },
  tagsField: {
    /** Shown beside the label. */
    limit: 'up to 5',
    hint: 'Enter or a comma ends a tag. A last line like #trains #night in the text works too.',
    remove: (tag: string) => `Remove the tag ${tag}`,
    shown: (tag: string) => `#${tag}`,
    suggestions: 'Existing tags',
    posts: (count: string, isOne: boolean) => `${count} ${isOne ? 'post' : 'posts'}`,
    added: (tag: string) => `Tag ${tag} added`,
    removed: (tag: string) => `Tag ${tag} removed`,
  },
  /**
   * What keeps a post from being saved: "Two things need a look before this can be saved: title and
   * image."
   */
  problems: {
    title: 'Write a title first.',
    titleTooLong: (chars: number) => `The title can have ${chars} characters at most.`,
    slug: 'A slug is needed. It fills itself in when you type a title.',
    contentTooLong: 'The text is too long to be saved as one post.',
    tag: (chars: number) => `A tag has ${chars} characters at most and no spaces.`,
    tagsTooMany: 'Five tags, that is the most. Remove one to add another.',
    image: 'Choose an image for the post.',
    details: 'Something under “Publish …” is too long, or no address.',
    summary: (count: number) => `${PROBLEM_COUNTS[count]} a look before this can be saved`,
    names: {
      title: 'title',
      slug: 'slug',
      content: 'content',
      tags: 'tags',
      image: 'image',
      details: 'publishing',
    },
    between: { comma: ', ', and: ' and ' },
  },
  saving: {
    text: 'Uploading Please Wait ......',
    upload: 'Image upload',
    offline: 'No connection. Saving resumes once you are back online.',
    cancel: 'Cancel saving',
  },
  /** The quiet line under the buttons; each `time` is a time of day. */
  saveState: {
    saving: 'Saving',
    saved: (time: string) => `Saved ${time}`,
    toBePublished: (time: string) => `Saved ${time}. Not published yet.`,
    onDevice: (time: string) => `Kept on this device at ${time}.`,
    waiting: (time: string) => `Kept on this device at ${time}. Saving resumes automatically.`,
    notPublished: (time: string) => `Not published yet. Kept on this device ${time}.`,
  },
  /** A draft was saved elsewhere: autosaving does not overwrite that version. */
  newer: {
    text: (time: ReactNode) => (
      <>
        This draft was saved elsewhere {time}. What you type here stays on this device until you
        choose.
      </>
    ),
    compare: 'Compare the two',
  },
  otherTab: {
    text: 'This draft is open in another tab. What you type here is saved from here only after you choose it.',
    writeHere: 'Write here',
  },
  saved: {
    active: 'Post saved.',
    published: 'Post published.',
    inactive: 'Saved as inactive.',
    open: 'Open the post',
  },
  savingFailures: {
    stillHere: 'This could not be saved. Your text is still here.',
    because: (reason: string) => `This could not be saved. Your text is still here. ${reason}`,
    /** Shown after the user has left the form. `reason` is a sentence, or empty. */
    afterLeaving: (reason: string) =>
      `This could not be saved. A copy of your text is on this device. ${reason}`.trim(),
    imageInText: (reason: string) => `An image in the text could not be stored. ${reason}`,
    toText: 'Go to the text',
    tooLarge: 'This image is too large.',
    cancelled: 'Saving was cancelled. Your text is still here.',
    refused: 'The server does not take a part of it as it is.',
    pageAddressTaken:
      'Another page has this address. Change the title, or choose other words for the address.',
    pageAddressReserved:
      'The blog itself uses this address. Change the title, or choose other words for the address.',
    pageCount: 'There are six pages and links already. Delete one first.',
    deleted: 'The post was deleted meanwhile. A copy waits for you under “addPost”.',
  },
  editor: {
    loading: 'Loading the editor',
    failed: 'The editor could not be loaded.',
    toolbarHint: 'Alt + F10 opens the toolbar',
    frame: 'Content. Alt + F10 opens the toolbar.',
    invitation: 'Start writing. Everything can change later.',
    /** The name, for screen readers, of the place where the editor's menus and dialogs open. */
    opened: 'Editor menus',
  },
  /** Shown in the text while one of its images is being stored. */
  imageUploads: {
    upload: (name: string) => `Upload of ${name}`,
    prepares: 'Preparing',
    waits: 'waits for its turn',
    lost: 'The connection dropped. The text is kept, the picture is not stored yet.',
    /** "Converted to JPEG, 2.1 of 3.4 MB", "Waits for its turn" */
    joined: (change: string, state: string) =>
      change ? `${change}, ${state}` : state.replace(/^w/, 'W'),
  },
  /** Shown at the foot of the editor after a paste. */
  pasting: {
    markdown: 'Markdown became formatted text.',
    keepAsTyped: 'Keep as typed',
    embed: 'The address became what it leads to.',
    keepAddress: 'Keep the address',
    missing: (count: number) =>
      count === 1
        ? 'One picture could not be pasted.'
        : `${countWord(count)} pictures could not be pasted.`,
    reasons: {
      notProvided: (count: number) =>
        count === 1
          ? 'The program you copied from did not hand it over. Copy it by itself, or use the picture button.'
          : 'The program you copied from did not hand them over. Copy each one by itself, or use the picture button.',
      external: (count: number) =>
        count === 1
          ? 'It stays on its own site; a link takes its place. Copy it by itself, or use the picture button.'
          : 'Pictures of other sites stay there; links take their place. Copy each one by itself, or use the picture button.',
    },
  },
  /** Entries of the editor's lists of formats. The editor's own menus are in English. */
  formats: {
    groups: { headings: 'Headings', inline: 'Inline', blocks: 'Blocks' },
    blocks: {
      p: 'Paragraph',
      h2: 'Heading 2',
      h3: 'Heading 3',
      h4: 'Heading 4',
      blockquote: 'Quote',
      pre: 'Code',
    },
    inline: {
      bold: 'Bold',
      italic: 'Italic',
      underline: 'Underline',
      strikethrough: 'Strikethrough',
    },
    letters: { superscript: 'Superscript', subscript: 'Subscript', code: 'Code' },
  },
  leaving: {
    title: 'Leave without saving?',
    text: 'What you wrote here has not been saved. A copy stays on this device.',
  },
  leavingWhileSaving: {
    title: 'Leave while it is being saved?',
    text: 'Saving continues, and you are told how it ended.',
  },
  /** Shown in the post form after the server has answered that nobody is signed in. */
  signedInAgain: {
    same: 'You are signed in again. Your text is still here.',
    other: (name: string) =>
      `You are signed in as ${name}. The text you left is kept for its writer.`,
  },
  drafts: {
    unsavedText: (time: ReactNode) => <>There is unsaved text from {time} on this device.</>,
    postIsNewer: 'The post was saved again after this was written.',
    restore: 'Restore',
    discard: 'Discard',
  },
  conflict: {
    title: 'This post changed while you were writing',
    savedElsewhere: (time: ReactNode) => (
      <>
        It was saved {time} in another window or on another device. Choose the version to continue
        with.
      </>
    ),
    /** One line, for a user who has left the form. */
    summary: 'The post was saved meanwhile in another window or on another device.',
    nothingLost:
      'Nothing is thrown away: if you take the saved one, your text stays on this device.',
    textOf: (version: string) => `${version}: text`,
    takeStored: 'Take the saved version',
    keepLocal: 'Save your version',
  },
  versions: { local: 'Your version', stored: 'Saved version' },
  /** Changes from another window, device or program, merged into the text of the form. */
  merge: {
    labels: { mine: 'Yours', theirs: 'From elsewhere', taken: 'Changed elsewhere' },
    merged: (time: ReactNode) => (
      <>Changes that were saved elsewhere {time} are now in your text, and marked there.</>
    ),
    undo: 'Undo takes them out.',
    undone: 'The changes from elsewhere are taken out. Saving now replaces them.',
    updateAgain: 'Look through them, then save again.',
    fields: {
      title: 'title',
      tags: 'tags',
      status: 'status',
      image: 'featured image',
      details: 'publishing details',
    },
    taken: (names: string) => `Also taken from there: ${names}.`,
    kept: (names: string) => `Changed here and there, yours stays: ${names}.`,
    conflict: (count: number) =>
      count === 1
        ? 'One paragraph was changed here and elsewhere. Both texts are below.'
        : `${count} paragraphs were changed here and elsewhere. Both texts are below. The first:`,
    deletedHere: 'You deleted a paragraph that was changed elsewhere.',
    deletedThere: 'A paragraph that you changed was deleted elsewhere.',
    keepMine: 'Keep yours',
    keepTheirs: 'Keep theirs',
    keepBoth: 'Keep both',
    keep: 'Keep it',
    delete: 'Delete it',
    show: 'Show it',
    close: 'Hide the marks',
  },
}

const PROBLEM_COUNTS = [
  'Nothing needs',
  'One thing needs',
  'Two things need',
  'Three things need',
  'Four things need',
  'Five things need',
  'Six things need',
]
