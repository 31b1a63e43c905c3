// English texts. Signing in and up, also with Google.
import type { ReactNode } from 'react'

export const accounts = {
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
}
