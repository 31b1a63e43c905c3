// Every other screen in all its states: home, feed, menus, dashboard, account, messages.

import { auditScreens } from '#test/support/screen-audit.ts'
import { SCREEN_STATES } from '#test/support/screens/states.ts'

auditScreens(SCREEN_STATES.filter(({ name }) => !name.startsWith('post')))
