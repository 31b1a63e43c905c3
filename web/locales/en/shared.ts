// English texts that several screens share, and those of the generic UI parts.

export const shared = {
  places: {
    home: 'home',
    allPosts: 'All posts',
    dashboard: 'Dashboard',
    newPost: 'New post',
    settings: 'Settings',
    admin: 'Manage blog',
    notFound: '404 Not Found',
  },
  actions: {
    close: 'Close',
    cancel: 'Cancel',
    tryAgain: 'Try again',
    loadMore: 'Load more',
    keepWriting: 'Keep writing',
    leave: 'Leave',
    submit: 'Submit',
  },
  signing: {
    in: 'Sign in',
    up: 'Sign up',
    out: 'Sign out',
    signingIn: 'Signing in',
    signingOut: 'Signing out',
    logIn: 'Log in',
  },
  loading: {
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
    noAnswer: 'The server did not respond. Check your connection and try again.',
    appMissing: 'This page did not load completely. Check your connection and try again.',
    checkConnection: 'Check your connection and try again.',
    tooManyTries: 'Too many attempts. Wait a minute.',
    signedOut: 'You were signed out. Sign in to continue.',
    stillSignedIn: 'You are still signed in: the server did not respond.',
  },
  /** For refusals by the server for which the screen has no more precise text. */
  refusals: {
    busy: 'The server has a lot to do right now. Try again in a moment.',
    noMail: 'This site sends no email yet.',
    emailTaken: 'An account with this email address already exists.',
    alreadyVerified: 'This email address is verified already.',
    linkUsed: 'This link is no longer valid.',
    passwordsDiffer: 'The passwords do not match.',
    credentials: 'Email or password is not correct.',
    blocked: 'This account has been blocked.',
    lastOperator: 'The blog needs an operator. Make somebody else one first.',
    notAllowed: 'You are not allowed to do this.',
    noMoreAccounts: 'No more accounts can be created here.',
    gone: 'This is not there any more. Reload the page.',
    passwordIsNameOrEmail: 'The password must not be your name or email address.',
    fault: 'The server has a problem. Nothing was changed; try again in a moment.',
    other: 'This did not work. Check what you entered and try again.',
  },
  signedOutEverywhere: 'You are signed out on all devices.',
  passwordInput: { show: 'Show password' },
  toasts: { region: 'Notifications' },
  noScript: {
    title: 'This page needs JavaScript.',
    text: 'Writing, the dashboard and settings need it. Reading works without: the list, posts, authors, tags and search.',
  },
}

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

/** A number as a word, for the beginning of a sentence. */
export function countWord(count: number): string {
  return COUNTS[count] ?? String(count)
}
