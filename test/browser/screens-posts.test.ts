// Single posts in all their states, and the forms that write them.

import { lookOver } from '#test/support/screen-audit.ts'
import { SCREEN_STATES } from '#test/support/screens/states.ts'

lookOver(SCREEN_STATES.filter(({ name }) => name.startsWith('post')))
