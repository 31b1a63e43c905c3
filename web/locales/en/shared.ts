// English texts. What several screens say, and the parts that know no product word.

export const shared = {
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
  passwordInput: { show: 'Show password' },
  toasts: { region: 'Notifications' },
  noScript: 'This page needs JavaScript.',
}
