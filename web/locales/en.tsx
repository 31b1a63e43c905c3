// Every text of the web app in English, by part and screen; a translation is a copy of this file
// (CONTRIBUTING.md, decision 0016). Whole sentences, and functions where values come in, so that
// each language says them in its own order. Knows nothing of screens.
import type { ReactNode } from 'react'

export const en = {
  /** BCP 47: the `lang` of every page, and how its numbers are written. */
  language: 'en',
  direction: 'ltr' as 'ltr' | 'rtl',

  // Said in several places
  places: {
    home: 'home',
    allPosts: 'All posts',
    dashboard: 'Dashboard',
    newPost: 'New post',
    settings: 'Settings',
    notFound: '404 Not Found',
  },
  actions: {
    close: 'Close',
    cancel: 'Cancel',
    tryAgain: 'Try again',
    loadMore: 'Load more',
    keepWriting: 'Keep writing',
    submit: 'Submit',
  },
  signing: {
    in: 'Sign in',
    up: 'Sign up',
    out: 'Sign out',
    goingIn: 'Signing in',
    goingOut: 'Signing out',
    logIn: 'Log in',
  },
  waiting: {
    screen: 'Loading',
    page: 'Loading...',
    post: 'Loading Post ...',
    posts: 'Loading Posts ...',
  },
  fields: {
    name: 'Name',
    email: 'Email',
    password: 'Password',
    currentPassword: 'Current password',
  },
  failures: {
    title: 'Something went wrong',
    titleAgain: 'Something went wrong ... Please try again',
    noAnswer: 'The server did not answer. Check your connection and try again.',
    appMissing: 'This page did not load completely. Check your connection and try again.',
    checkConnection: 'Check your connection and try again.',
    tooManyTries: 'Too many tries. Wait a minute.',
    signedOut: 'You were signed out. Sign in to go on.',
    stillSignedIn: 'You are still signed in: the server did not answer.',
  },
  signedOutEverywhere: 'You are signed out on all devices.',

  // ui
  passwordInput: { show: 'Show password' },
  toasts: { region: 'Notifications' },

  // files
  images: {
    wrongType: 'This file is not a PNG, JPG, JPEG or GIF.',
    unreadable: 'This image can not be read. Choose another one.',
    empty: 'This file is empty.',
  },
  imageField: {
    preview: (label: string) => `Preview: ${label}`,
    letGo: 'Let go to use this image',
    replace: 'Replace',
    remove: 'Remove',
  },
  uploads: {
    cancel: 'Cancel upload',
    heard: (label: string, percent: number) => `${label}: ${percent} percent`,
    progress: (sent: number, total: string) => `${sent} of ${total}`,
    size: {
      kilobytes: (count: number) => `${count} KB`,
      megabytes: (count: number) => `${count} MB`,
    },
  },

  // accounts: forms
  forms: {
    notAnEmail: 'This does not look like an email address.',
    passwordsDiffer: 'The two passwords differ.',
    wrongPassword: 'The password is not correct.',
    passwordHint: 'At least 8 characters. A short sentence works well.',
  },
  signIn: {
    title: 'Sign in to your account',
    noAccount: "Don't have any account?",
    toSignUp: 'Sign Up',
    forgot: 'Forgot password?',
  },
  signUp: {
    title: 'Sign up for an account',
    haveAccount: 'Have an account already?',
    toLogIn: 'Log In',
    busy: 'Creating your account',
  },
  signUpTrap: {
    label: 'Leave this empty',
    sprung: 'A program filled in this form. Reload the page and fill it in by hand.',
  },
  signUpClosed: {
    title: 'Registration is closed',
    text: 'New accounts are made by the person who runs this site. If you have one, sign in.',
  },
  google: { button: 'Sign in with Google', orEmail: 'or with email' },
  googleFailures: {
    notConfirmed: 'Google did not confirm this sign-in.',
    tookTooLong: 'This sign-in took too long or was begun in another browser. Try again.',
    blocked: 'This account has been blocked.',
    exists: 'An account with this email exists already. Sign in with its password.',
    notVerified: 'Google has not verified this email address, so it cannot be used here.',
    closed: 'Registration is closed. Nobody with this email has an account here.',
    switchedOff: 'Signing in with Google is switched off here.',
    other: 'Signing in with Google did not work. Try again.',
  },
  oauth: {
    screen: 'Verify OAuth',
    title: 'One more step',
    verify: 'Verify OAuth',
    busy: 'Asking Google',
    goOn: 'Go on',
  },
  oauthAnswers: {
    signedInAs: (name: string) => `You are signed in as ${name}.`,
    nobody: 'Nobody is signed in here. Sign in to go on.',
    person: (person: string) => `Google says: ${person}`,
    nameless: 'it is you',
    failed: 'Failed to fetch user info',
  },
  dispatch: {
    failed: 'You are signed in, but your account did not load. Your connection may have dropped.',
  },
  missingPage: {
    noRoute: (path: ReactNode) => <>No route matches URL {path}</>,
    text: 'The page may have moved, or the address has a small typing slip.',
    goBack: 'Go back',
  },

  // accounts: what goes by mail
  mails: {
    sendingLink: 'Sending the link',
    sendingMail: 'Sending the email',
    newLink: 'Send a new link',
    signInLink: 'E-mail me a link',
  },
  mailNews: {
    againIn: (seconds: number) => `Send again in ${seconds} s`,
    sent: 'Sent. Check your inbox.',
    expired: 'This link has expired',
  },
  signInLink: {
    screen: 'Sign-in link',
    title: (site: string) => `Sign in to ${site}`,
    text: 'Your link is good for one sign-in on this device.',
    signedInAs: (name: ReactNode) => (
      <>You are signed in as {name}. The link may belong to another account.</>
    ),
    expired:
      'Sign-in links work once, for a short time. Ask for a fresh one and use the newest email.',
    getNew: 'Get a new link',
    sentTo: (email: ReactNode) => (
      <>A sign-in link is on its way to {email}. It works once, for ten minutes.</>
    ),
    sentIfKnown: (email: ReactNode) => (
      <>If an account uses {email}, a sign-in link is on its way. It works once, for ten minutes.</>
    ),
  },
  forgot: {
    title: 'Forgot your password?',
    screen: 'Forgot password',
    form: 'Password recovery',
    send: 'Send link',
  },
  forgotTexts: {
    ask: 'Tell us your email and we will send a link to choose a new one.',
    sentIfKnown: (email: ReactNode) => (
      <>If an account uses {email}, a link is on its way. It works for one hour.</>
    ),
    noMail: 'This site sends no e-mail. Ask the person who runs it for a link to sign in.',
  },
  forgotBack: { dashboard: 'Back to the dashboard', signIn: 'Back to sign in' },
  recoveryLink: {
    screen: 'Email link',
    expired: 'Links work once, for one hour. Ask for a fresh one and use the newest email.',
    incomplete: 'This link is not complete',
    incompleteText:
      'Open it again from the email, or ask for a fresh one. Your password has not changed.',
  },
  newPassword: {
    title: 'Choose a new password',
    form: 'Password reset',
    once: 'New password',
    again: 'New password again',
  },
  newPasswordSaving: { button: 'Save password', busy: 'Saving the password' },
  verification: {
    screen: 'Verification',
    processing: 'Processing Google authentication...',
    wait: 'This takes a second or two.',
  },
  nothingToVerify: {
    title: 'There is nothing to verify',
    text: 'This page finishes a sign-in with Google or confirms an email address. Nothing came with the address, so start again.',
  },
  confirmEmail: {
    title: 'Confirm your email',
    button: 'Confirm email',
    busy: 'Confirming your email',
    done: 'Your email is verified',
  },
  confirmEmailTexts: {
    ask: 'One press, and this site knows that the address is yours.',
    toDashboard: 'Taking you to your dashboard.',
    toSignIn: 'Sign in to go on.',
    expired: 'Links work once, for one hour. Ask for a fresh one and use the newest email.',
    expiredSignedOut: 'Links work once, for one hour. Sign in to ask for a fresh one.',
  },
  emailState: {
    verified: 'Email verified',
    notVerified: 'Email not verified',
    send: 'Send verification email',
  },
  verificationBanner: {
    label: 'Email verification',
    title: 'Your email is not verified yet.',
    text: (email: ReactNode) => (
      <>Confirm {email} so that you can always get back into your account.</>
    ),
  },

  // accounts: settings and avatar
  nameSection: {
    title: 'Name',
    text: 'Stands under your posts.',
    form: 'Change name',
    missing: 'Write a name first.',
  },
  nameSaving: { button: 'Save name', busy: 'Saving the name', done: 'Your name is saved.' },
  emailSection: {
    title: 'Email',
    text: 'What you sign in with. Nobody else sees it.',
    newEmail: 'New email',
    choosePassword: 'Choose a password',
    choosePasswordHint: 'Your account has no password yet. This becomes it: at least 8 characters.',
  },
  emailSaving: {
    button: 'Change email',
    busy: 'Changing the email',
    done: 'Your email is changed. The new address is not verified yet.',
  },
  passwordSection: {
    title: 'Password',
    text: 'A new password signs you out on all other devices.',
  },
  passwordSaving: {
    button: 'Change password',
    set: 'Set password',
    busy: 'Changing the password',
    done: 'Your password is changed. Your other devices are signed out.',
  },
  sessions: {
    title: 'Sessions',
    text: 'Where you are signed in. End what you do not know.',
    endAll: 'Sign out on all devices',
  },
  session: {
    here: 'This device',
    unknownDevice: 'Unknown device',
    on: (client: string, device: string) => `${client} on ${device}`,
    since: (time: ReactNode) => <>Since {time}</>,
    ways: { password: 'with a password', link: 'by an emailed link', google: 'with Google' },
    end: (device: string, since: string) => `Sign out: ${device}, since ${since}`,
    ended: 'That session has ended.',
    endedHere: 'You are signed out on this device.',
  },
  dataSection: {
    title: 'Your data',
    text: 'Your account and posts as JSON, and your images as you uploaded them, in one zip file.',
    download: 'Download my data',
  },
  deletion: {
    title: 'Delete account',
    text: 'All your posts, likes and files go with it, for good. Download your data first if you want to keep it.',
    noPassword: 'Type your password first.',
    button: 'Delete my account',
    question: 'Delete your account?',
    warning:
      'Your posts, your likes and all your files go for good, and you are signed out everywhere. This cannot be undone.',
    keep: 'Keep it',
    done: 'Your account is deleted.',
  },
  freshLink: {
    text: 'Your account has no password. Sign in afresh, and delete it within ten minutes.',
    sent: 'A sign-in link is on its way. Open it in this browser.',
  },
  passwordChanged: 'Password changed. Sign in with the new one.',
  avatar: {
    form: 'Change avatar',
    label: 'New avatar',
    missing: 'Choose an image first.',
    upload: 'Avatar upload',
  },
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

  // posts: reading
  feed: {
    notes: {
      newestFirst: 'Newest first',
      empty: 'Nothing here yet',
      failed: 'Could not load',
      end: 'You have reached the first post.',
    },
    failed:
      'The posts did not load. Your connection may have dropped, or the server is having a moment.',
    older: 'Older posts',
    newest: 'Newest posts',
    showing: (count: number, total: number) => `Showing ${count} of ${total}`,
    loadingMore: 'Loading more',
    moreLoaded: (count: number) => `${count} more ${count === 1 ? 'post' : 'posts'} loaded`,
  },
  emptyFeed: {
    title: 'The first page is blank',
    text: 'No one has published yet. Write something small and it will be the first thing people read here.',
    write: 'Write the first post',
  },
  card: { by: (author: string) => `Post by : ${author}`, read: 'Click to read post' },
  post: {
    screen: 'Post',
    back: 'Back',
    minutes: (count: number) => `${count} min read`,
    authorId: (id: ReactNode) => <>id {id}</>,
    inactive: 'This post is inactive. Only you can see it.',
    /** Goes into the HTML of the text: no quotes, no angle brackets. */
    table: 'Table',
    player: 'Video',
  },
  postImage: {
    download: 'Download',
    label: 'Download image',
    failed: 'The image could not be downloaded.',
  },
  missingPost: {
    title: 'This post is not here',
    text: '404 Not Found. It may have been deleted, or its author keeps it to themselves.',
  },
  /** As the server writes it, which does not know the reader's own way. */
  date: (day: number, month: number, year: number) => `${day} ${MONTHS[month]} ${year}`,
  likes: {
    count: (count: number, written: string) => `${written} ${count === 1 ? 'like' : 'likes'}`,
    button: (likes: string) => `Like this post, ${likes}`,
    liked: (likes: string) => `Liked. ${likes}.`,
    removed: (likes: string) => `Like removed. ${likes}.`,
    failed: 'Your like was not saved.',
  },
  likeSignIn: {
    label: 'Sign in to like',
    title: 'Sign in to like this post',
    text: 'It takes a moment, and you come straight back here.',
    notNow: 'Not now',
  },
  ownerMenus: { edit: 'Edit', editMenu: 'Edit menu', delete: 'Delete', deleteMenu: 'Delete menu' },
  postDeletion: {
    title: 'Delete this post?',
    confirm: 'Confirm Delete',
    text: 'The post and its image go for good. This cannot be undone.',
    done: 'Post deleted.',
    failed: (reason: string) => `The post was not deleted. ${reason}`,
  },
  welcome: (name: ReactNode) => <>Welcome, {name}</>,
  profile: {
    label: 'Your profile',
    avatar: 'Your avatar',
    preview: 'New avatar, preview',
    change: 'Change Avatar',
  },
  avatarDownload: { button: 'Download', label: 'Download avatar' },
  ownPosts: {
    title: 'Your posts',
    count: countOwnPosts,
    loading: 'Loading',
    edit: (title: string) => `Edit ${title}`,
    empty: 'You have not written anything yet.',
    emptyHint: 'Posts you keep inactive will also live here.',
    writeFirst: 'Write your first post',
  },

  // posts: writing
  statuses: { active: 'active', inactive: 'inactive' },
  editPost: {
    title: 'Edit post',
    failed:
      'The post did not load. Your connection may have dropped, or the server is having a moment.',
  },
  foreignPost: {
    screen: '403 Forbidden',
    title: 'This is not your post',
    text: '403 Forbidden. Only its author can change a post.',
  },
  postFields: {
    title: 'Title',
    titleInvitation: 'Give it a name',
    slug: 'Slug',
    content: 'Content',
    image: 'Featured image',
    status: 'Status',
  },
  postForm: {
    slugFixed: 'The address stays the same after publishing.',
    slugMade: 'Made for you from the time. This becomes the address of the post.',
    imageInvitation: { title: 'Drop an image here', text: 'or choose one. PNG, JPG, JPEG or GIF.' },
    imageTooLarge: (megabytes: number) =>
      `This image is larger than ${megabytes} MB. Choose a smaller one.`,
    statusHint: 'Active posts show in the feed. Inactive posts stay with you.',
    update: 'Update',
    noRoom: 'This browser has no room for a copy of your text. Save it before you leave this page.',
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
    image: 'Choose an image for the post.',
    summary: (count: number) => `${PROBLEM_COUNTS[count]} a look before this can be saved`,
    names: { title: 'title', slug: 'slug', content: 'content', image: 'image' },
    between: { comma: ', ', and: ' and ' },
  },
  saving: { text: 'Uploading Please Wait ......', upload: 'Image upload' },
  saved: {
    active: 'Post saved.',
    published: 'Post published.',
    inactive: 'Saved as inactive.',
    open: 'Open the post',
  },
  savingFailures: {
    stillHere: 'This could not be saved. Your text is still here.',
    because: (reason: string) => `This could not be saved. Your text is still here. ${reason}`,
    offline: 'You are offline. Nothing was saved; your text is still here.',
    /** After the form was left: `reason` is a sentence, or empty. */
    afterLeaving: (reason: string) =>
      `This could not be saved. A copy of your text is on this device. ${reason}`.trim(),
    imageInText: (reason: string) => `An image in the text could not be stored. ${reason}`,
    toText: 'Go to the text',
    tooLarge: 'This image is too large.',
    cancelled: 'The upload was cancelled.',
    deleted: 'The post was deleted meanwhile. A copy waits for you under “addPost”.',
  },
  editor: {
    loading: 'Loading the editor',
    failed: 'The editor could not be loaded.',
    toolbarHint: 'Alt + F10 opens the toolbar',
    frame: 'Content. Alt + F10 opens the toolbar.',
    invitation: 'Start writing. Everything can change later.',
    preview: 'Preview',
    /** Where its menus and dialogs open, for screen readers. */
    opened: 'Editor menus',
  },
  /** In the editor's lists of formats. Its own menus are in English (decision 0016). */
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
    leave: 'Leave',
    text: 'What you wrote here has not been saved. A copy stays on this device.',
  },
  leavingWhileSaving: {
    title: 'Leave while it is being saved?',
    text: 'Saving goes on, and you are told how it ended.',
  },
  /** In the post form, which was told that nobody is signed in. */
  signedInAgain: {
    same: 'You are signed in again. Your text is still here.',
    other: (name: string) =>
      `You are signed in as ${name}. The text you left is kept for its writer.`,
  },
  drafts: {
    found: (time: ReactNode) => <>There is unsaved text from {time} on this device.</>,
    imageAgain: 'Its image has to be chosen again.',
    older: 'The post was saved again after this was written.',
    restore: 'Restore',
    discard: 'Discard',
  },
  conflict: {
    title: 'This post changed while you were writing',
    when: (time: ReactNode) => (
      <>
        It was saved {time} in another window or on another device. Choose the version to go on
        with.
      </>
    ),
    /** In one line, for somebody who left the form. */
    told: 'The post was saved meanwhile in another window or on another device.',
    safe: 'Nothing is thrown away: if you take the saved one, your text stays on this device.',
    textOf: (version: string) => `${version}: text`,
    takeSaved: 'Take the saved version',
    saveOwn: 'Save your version',
  },
  versions: { own: 'Your version', saved: 'Saved version' },

  // shell
  header: {
    bottomBar: 'Bottom bar',
    bottomBarHint: 'Show or hide the bottom bar',
    addPost: 'addPost',
    menu: 'Menu',
  },
  accountMenu: {
    label: 'Account',
    button: (name: string) => `Account menu, ${name}`,
    allDevices: 'all devices',
  },
  bottomBar: { label: 'Main', home: 'home', allPosts: 'all posts', dashboard: 'dashboard' },
  /** For the device that keeps the site among its apps. */
  webApp: { about: 'A quiet place to write and read.' },
  footer: {
    about: (site: string) => `${site}. A quiet place to write and read.`,
    toTop: 'Back to top',
  },
  skipLinks: { content: 'Skip to content', navigation: 'Skip to navigation' },
  home: { text: 'Taking you to the posts.', viewPosts: 'view posts' },
  theme: { label: 'Theme', dark: 'Dark', light: 'Light', system: 'System' },
  appearance: {
    title: 'Appearance',
    text: 'Kept with your account. The theme follows you to your other devices.',
    bars: { legend: 'Bottom bar', shown: 'Shown', hidden: 'Hidden' },
    notSaved: 'Your choice was not saved.',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    between: ' then ',
    names: {
      feed: 'All posts',
      dashboard: 'Dashboard',
      newPost: 'New post',
      like: 'Like the open post',
      help: 'This list',
    },
    use: 'Use these shortcuts on this device',
    text: 'They never act while you type. The list stays at the foot of every page.',
  },
  network: {
    back: 'Back online.',
    gone: 'You are offline.',
    goneText: 'You can read what is already open. Saving works again once you are back.',
  },
  continueStrip: {
    label: 'Continue',
    text: 'You asked for another page before signing in.',
    link: 'continue',
  },
  checking: {
    failed:
      'Your account did not load. Your connection may have dropped, or the server is having a moment.',
  },
  errorScreen: {
    title: 'Unexpected Application Error!',
    missing: (status: string) => `${status}. Nothing is at this address.`,
    text: (status: string) =>
      `${status}. Reload the page. If it happens again, wait a minute and try once more.`,
    reload: 'Reload',
    request: (id: ReactNode) => <>Request {id}</>,
    at: (time: string) => `${time} UTC`,
  },
  statusLines: {
    400: '400 Bad Request',
    403: '403 Forbidden',
    404: '404 Not Found',
    405: '405 Method Not Allowed',
  },
  unknownStatus: 'Unknown Server Error',
  noScript: 'This page needs JavaScript.',
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const PROBLEM_COUNTS = [
  'Nothing needs',
  'One thing needs',
  'Two things need',
  'Three things need',
  'Four things need',
]

/** "4 posts, 3 of them active." @param active undefined while it is not known */
function countOwnPosts(total: number, active: number | undefined): string {
  if (total === 0) return 'Nothing written yet. No rush.'
  const posts = `${total} ${total === 1 ? 'post' : 'posts'}`
  if (active === undefined) return `${posts}.`
  if (active === total) return `${posts}, ${total === 1 ? 'active' : 'all active'}.`
  return active === 0
    ? `${posts}, ${total === 1 ? 'inactive' : 'none of them active'}.`
    : `${posts}, ${active} of them active.`
}
