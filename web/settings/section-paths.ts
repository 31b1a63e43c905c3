// The addresses of the settings, in the order of their links.

export const SECTIONS = {
  profile: '/settings',
  signIn: '/settings/sign-in',
  writing: '/settings/writing',
  notifications: '/settings/notifications',
  language: '/settings/language',
  files: '/settings/files',
  data: '/settings/data',
  deletion: '/settings/delete-account',
} as const
