// English texts. Signing in and up, also with Google.
import type { ReactNode } from 'react'

export const accounts = {
  forms: {
    notAnEmail: 'Enter a valid email address.',
    noName: 'Write your name. It is shown under your posts.',
    nameTooLong: (chars: number) => `A name can have ${chars} characters at most.`,
    nameNotPlain: 'A name is one line of plain text.',
    passwordLength: (least: number, most: number) =>
      `A password has ${least} to ${most} characters.`,
    commonPassword: 'This password is among the most used ones. Choose another.',
    passwordsDiffer: 'The passwords do not match.',
    wrongPassword: 'The password is not correct.',
    passwordHint: 'At least 8 characters. A short sentence works well.',
  },
  /** Descriptions of these pages for search engines. */
  descriptions: {
    signIn: (site: string) => `Sign in to ${site} to see all posts, to like and to write.`,
    signUp: (site: string) => `Make an account at ${site}: a name, an email address, a password.`,
    forgot: (site: string) => `Choose a new password for your account at ${site}.`,
  },
  signIn: {
    title: 'Sign in to your account',
    noAccount: "Don't have any account?",
    toSignUp: 'Sign Up',
    forgot: 'Forgot password?',
  },
  /** The session ended without the user asking for it. */
  sessionEnded: {
    title: 'You were signed out',
    text: 'This tab was open for a long time, or you signed out somewhere else.',
    drafts: (count: number, name: ReactNode) => (
      <>
        Nothing you typed is lost: {count === 1 ? '1 draft is' : `${count} drafts are`} kept on this
        device for {name}.
      </>
    ),
    signIn: 'Sign in again',
    notice: 'You were signed out.',
    back: (page: string) => `Sign in and you are back at “${page}”.`,
    post: 'the post',
    textStored: 'Your text is kept on this device.',
    continueWriting: 'Sign in and continue writing',
  },
  signInPurposes: {
    list: {
      title: 'Sign in to see all posts',
      text: 'This blog shows its list to members. You come straight back to it.',
    },
    like: {
      title: 'Sign in to like this post',
      text: 'Likes show your name. You come straight back to the post.',
    },
    comment: {
      title: 'Sign in to comment',
      text: 'You come straight back to the comments.',
    },
    writing: {
      title: 'Sign in to write a post',
      text: 'Each post has its author. The form is one press away after it.',
    },
    dashboard: {
      title: 'Sign in to see your dashboard',
      text: 'Your posts and your avatar are there.',
    },
    settings: {
      title: 'Sign in to see your settings',
      text: 'They belong to your account.',
    },
    back: 'Back to the post',
  },
  signUp: {
    title: 'Sign up for an account',
    haveAccount: 'Have an account already?',
    toLogIn: 'Log In',
    busy: 'Creating your account',
  },
  honeypot: {
    label: 'Leave this empty',
    filledIn: 'A program filled in this form. Reload the page and fill it in by hand.',
  },
  signUpClosed: {
    title: 'Registration is closed',
    text: 'New accounts are created by an operator. If you have one, sign in.',
  },
  invitation: {
    screen: 'Invitation',
    title: 'You are invited',
    somebody: 'An operator',
    text: ({ who, site, email, until }: Record<'who' | 'site' | 'email' | 'until', ReactNode>) => (
      <>
        {who} made room for you at {site}. The invitation is for {email} and works until {until}.
      </>
    ),
    nameHint: 'Shown under your posts.',
    expired: 'This invitation has expired',
    expiredText: 'Invitations work once, for seven days. Ask the person who sent it for a new one.',
    incomplete: 'This link is incomplete',
    incompleteText: 'Open it again as you got it, or ask the person who sent it for a new one.',
    signedInAs: (name: ReactNode) => (
      <>
        You are signed in as {name}. An invitation makes a new account: sign out, then open the link
        again.
      </>
    ),
  },
  readersOnly: {
    title: 'Only authors write here',
    text: 'Your account can read, like and comment.',
  },
  setup: {
    screen: 'Set up your blog',
    title: 'Set up your blog',
    lead: 'Three short steps on this page. Everything can be changed later.',
    form: 'Set up this blog',
    onlyHere: 'Only this machine can open this page, so no code is needed.',
    fixed: 'Set on the server. It can only be changed there.',
    open: 'Open the blog',
    busy: 'Opening the blog',
    code: {
      title: 'Setup code',
      text: 'When the blog started, it printed a code of twelve characters. The code shows that the blog is yours.',
      label: 'Code',
      lost: 'Lost it? Restart the blog and it prints a new one.',
    },
    name: {
      title: 'Name it',
      text: 'Shown in the header, in mails and in search results.',
      label: 'Name of the blog',
      hint: (chars: number) => `${chars} characters at most.`,
    },
    about: {
      label: 'One line about it',
      kind: 'optional',
      hint: 'Shown above the list. Empty is fine.',
    },
    account: {
      title: 'Create your account',
      known: 'Use your account',
      text: 'You become the operator: you see “Manage blog” in your menu, nobody else does.',
      nameHint: 'Shown under your posts.',
      useExisting: 'I have an account here already',
      createNew: 'Create a new account instead',
    },
    reading: {
      title: 'Who may read?',
      text: 'Drafts stay with their authors in either case.',
      everyone: {
        name: 'Everyone',
        hint: 'Anybody can read posts and subscribe to the feed. Search engines may list them.',
      },
      members: {
        name: 'Members',
        hint: 'Only people with an account see the list. A single post can still be read by whoever has its address.',
      },
    },
    waiting: 'This blog is being set up',
    waitingText: 'Come back in a little while. This page opens by itself when the blog is ready.',
    enterCode: 'Enter the setup code',
    notYet: (link: ReactNode) => <>This blog has no operator yet. {link}</>,
    failures: {
      done: 'Somebody else has just set up this blog. Your account was not created.',
      code: 'This is not the code. Compare it with what the blog printed when it started.',
      replaced: 'This code is out of date. The blog has been restarted and has printed a new one.',
      tooMany: 'Too many attempts. Wait a minute.',
      noCode: 'Type the setup code.',
      noEmail: 'Type your email address.',
      noPassword: 'Choose a password.',
      oneLine: 'Write one line of plain text.',
      other: 'The blog was not set up. Check what you typed and try again.',
    },
    done: {
      title: 'Your blog is open',
      everyone: (site: ReactNode) => (
        <>{site} is ready. Everyone may read; you write, and you are its operator.</>
      ),
      members: (site: ReactNode) => (
        <>{site} is ready. Members may read; you write, and you are its operator.</>
      ),
      write: 'Write the first post',
      look: 'Give it a logo and a colour',
    },
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
    busy: 'Asking Google',
    continue: 'Continue',
  },
  oauthResults: {
    signedInAs: (name: string) => `You are signed in as ${name}.`,
    nobody: 'Nobody is signed in here. Sign in to continue.',
    profile: (person: string) => `Google says: ${person}`,
    noProfile: 'it is you',
    failed: 'Failed to fetch user info',
  },
  dispatch: {
    failed: 'You are signed in, but your account did not load. Your connection may have dropped.',
  },
  missingPage: {
    noRoute: (path: ReactNode) => <>No route matches URL {path}</>,
    text: 'The page may have moved, or the address has a typo.',
    goBack: 'Go back',
  },
}
