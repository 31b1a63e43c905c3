// Single posts in all their states, and the forms that write them.
import { SCREEN_STATES } from '#scripts/screens/states.ts'
import { lookOver } from '#test/support/screen-looks.ts'

lookOver(SCREEN_STATES.filter(({ name }) => name.startsWith('post')))
