// Every other screen in all its states: home, feed, menus, dashboard, account, messages.

import { lookOver } from '#test/support/screen-audit.ts'
import { SCREEN_STATES } from '#test/support/screens/states.ts'

lookOver(SCREEN_STATES.filter(({ name }) => !name.startsWith('post')))
