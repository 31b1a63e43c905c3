// Every other screen in all its states: home, feed, menus, dashboard, account, messages.
import { SCREEN_STATES } from '#scripts/screens/states.ts'
import { lookOver } from '#test/support/screen-looks.ts'

lookOver(SCREEN_STATES.filter(({ name }) => !name.startsWith('post')))
