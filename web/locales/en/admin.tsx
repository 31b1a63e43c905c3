// English texts. The pages of operators.
import type { AccountRole } from '#contract/roles.ts'

export const admin = {
  adminRoles: {
    operator: 'operator',
    author: 'author',
    reader: 'reader',
  } satisfies Record<AccountRole, string>,
  adminSettings: {
    title: 'Blog settings',
    save: 'Save',
    saving: 'Saving',
    saved: 'Saved.',
    changedMeanwhile:
      'Somebody else has changed this meanwhile. You see what is set now; your change was not saved.',
    fixed: 'Set on the server. It can only be changed there.',
    name: {
      title: 'Name and line',
      label: 'Name of the blog',
      most: (most: number) => `${most} characters at most.`,
      missing: 'Write a name first.',
      line: 'One line about it',
      lineHint: 'Shown above the list, in the footer and in search results.',
      lineMissing: 'Write a line first.',
    },
    reading: {
      title: 'Reading',
      legend: 'Who may read',
      options: {
        everyone: { name: 'Everyone', hint: 'Posts, feeds and search are open.' },
        members: {
          name: 'Members',
          hint: 'The list asks visitors to sign in. A post can still be read by whoever has its address.',
        },
      },
    },
    registration: {
      title: 'New accounts',
      legend: 'Who may sign up',
      options: {
        open: { name: 'Anyone', hint: 'Sign-up is open.' },
        invitation: { name: 'By invitation', hint: 'Only with an invitation from an operator.' },
        closed: {
          name: 'Nobody',
          hint: 'The sign-up page says that the blog accepts no new accounts.',
        },
      },
      role: 'Role of new accounts',
      roleHint: 'You can change it for each person later.',
    },
    comments: {
      title: 'Comments',
      legend: 'Under posts',
      options: {
        on: { name: 'On', hint: 'Authors can close them under a post of theirs.' },
        off: { name: 'Off', hint: 'What was written stays stored, nobody sees it.' },
      },
      approve: 'Approve first comments',
      approveHint:
        'While anyone may sign up, the first comments of a new account wait for approval.',
      on: 'On',
      off: 'Off',
    },
  },
}
