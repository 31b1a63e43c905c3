// English texts. The frame around every page: header, bars, footer, shortcuts, errors.
import type { ReactNode } from 'react'

export const shell = {
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
  footer: {
    about: (site: string, about: string) => `${site}. ${about}`,
    atom: 'Atom feed',
    json: 'JSON Feed',
    toTop: 'Back to top',
  },
  blogLinks: { label: 'Pages', elsewhere: ', on another site' },
  skipLinks: { content: 'Skip to content', navigation: 'Skip to navigation' },
  home: {
    text: 'Taking you to the posts.',
    /** For a blog whose list is for members. */
    staying: (about: string) => `${about} Its list of posts is for members.`,
    viewPosts: 'view posts',
  },
  theme: { label: 'Theme', dark: 'Dark', light: 'Light', system: 'System' },
  shortcuts: {
    title: 'Keyboard shortcuts',
    between: ' then ',
    names: {
      feed: 'All posts',
      dashboard: 'Dashboard',
      notifications: 'Notifications',
      admin: 'Manage blog',
      newPost: 'New post',
      like: 'Like the open post',
      comments: 'Comments of the open post',
      reply: 'Reply to the comment in focus',
      nextCase: 'Next case to review',
      previousCase: 'Previous case to review',
      hideCase: 'Hide what the case is about',
      dismissCase: 'Dismiss the report',
      search: 'Search posts',
      help: 'This list',
    },
    use: 'Use these shortcuts on this device',
    text: 'They never act while you type. Open this list from the foot of any page.',
  },
  network: {
    back: 'Back online.',
    backAndSaved: (time: string) => `Back online. Saved ${time}.`,
    gone: 'You are offline.',
    goneText: 'You can read what is already open. Saving works again once you are back.',
  },
  offline: {
    title: 'You are offline',
    text: 'This page has not been opened on this device before. It loads automatically once you are back online.',
    waiting: 'Waiting for a connection',
  },
  continueStrip: {
    label: 'Continue',
    text: 'You asked for another page before signing in.',
    link: 'continue',
  },
  checking: {
    failed:
      'Your account did not load. Your connection may have dropped, or the server is temporarily unavailable.',
  },
  errorScreen: {
    title: 'Unexpected Application Error!',
    missing: (status: string) => `${status}. Nothing is at this address.`,
    text: (status: string) =>
      `${status}. Reload the page. If it happens again, wait a minute and try once more.`,
    refused: {
      400: (status: string) => `${status}. This address cannot be read. There may be a typo in it.`,
      405: (status: string) => `${status}. This page can be opened, but nothing can be sent to it.`,
    },
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
}
