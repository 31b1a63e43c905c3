// What Tobias Quill wrote: mends clocks by day and programs by night. Only data.
import type { SeedPost } from './people.ts'

export const TOBIAS_POSTS: SeedPost[] = [
  {
    author: 'tobias',
    title: 'A clock that is wrong on purpose',
    daysAgo: 1.4,
    scene: 'clock',
    type: 'gif',
    likedBy: ['amara', 'noor', 'pia'],
    content: `<p>The owner wanted it four minutes fast. Not roughly four: exactly four, and kept there. It had hung in her father's barber shop, where it was set ahead so that the last customer would always believe he had just missed closing time and would be grateful to be let in.</p>
<p>Most of my work consists in making things agree with Greenwich. This one has to disagree with it, reliably, for as long as it runs. I found that I took more care over it than usual. An accurate clock can hide among all the other accurate clocks. A wrong one stands alone and had better be sure of itself.</p>
<h2>Regulation</h2>
<p>A pendulum does not know what time it is. It knows how long it is. You turn the nut under the bob one full turn and the clock changes its opinion by about half a minute a day:</p>
<pre><code>T = 2 * PI * sqrt(length / g)

// one turn of the nut: about 0.4 mm
// 0.4 mm on 248 mm: 0.08 %, or 35 s in a day</code></pre>
<p>Then you wait a day, and look, and turn it back a quarter. Nothing in this can be hurried, which is either the fault of the trade or the point of it.</p>
<p>She came for it on Friday, at what she called six o'clock. I let her in.</p>`,
  },
  {
    author: 'tobias',
    title: 'Notes on deleting code',
    daysAgo: 12.8,
    scene: 'tiles',
    type: 'png',
    likedBy: ['noor', 'wiebke', 'pia'],
    content: `<p>I deleted eleven hundred lines last week and nothing happened. It was the best day of the month.</p>
<p>The lines had been written by someone careful, for a case that was certain to come up and never did. There were tests for them. The tests passed. Everything about them was in good order, like a spare room kept aired for a relative who has moved to another country.</p>
<blockquote><p>Code is not an asset. What it does is the asset. The code is what you pay for it, every day, in reading.</p></blockquote>
<h2>How I go about it now</h2>
<ol><li>Find something nobody can explain without saying "historically".</li><li>Make it log a line whenever it is used, and go away for a month.</li><li>Read the log. It is usually a short read.</li><li>Take it out in one commit, with the reason in the message, so that whoever has to bring it back will find both in the same place.</li></ol>
<p>The fourth step is the one people leave out. Deleting is not forgetting. A good deletion is a piece of writing addressed to a stranger who is about to have the same idea again.</p>`,
  },
  {
    author: 'tobias',
    title: 'The screw that is left over',
    daysAgo: 34.1,
    scene: 'table',
    type: 'jpeg',
    likedBy: ['amara', 'tobias'],
    content: `<p>Everyone who has ever taken a thing apart knows the feeling. It is together again, it runs, and on the cloth there lies one small screw.</p>
<p>There are three possibilities, and I have met all of them.</p>
<ul><li><strong>You forgot it.</strong> Take it apart again. Do not argue.</li><li><strong>It was loose in there already,</strong> dropped by whoever mended it in 1954. Give it back to the owner in a little envelope. They are always delighted.</li><li><strong>It is from something else.</strong> In that case something else is out there at this moment, running without it.</li></ul>
<p>I keep a jar for the third kind. It is nearly full. Now and then I take one out and turn it in the light, and wonder what is slowly coming undone somewhere for want of it.</p>`,
  },
  {
    author: 'tobias',
    title: 'How to explain a bug to a clockmaker',
    daysAgo: 58.7,
    scene: 'clock',
    type: 'jpeg',
    likedBy: ['noor'],
    content: `<p>My master, who is eighty-one and has never owned a computer, asked what I was swearing at. I said: two people are turning the same hand at the same time.</p>
<p>"Then they should take turns," he said.</p>
<p>They do take turns, I said. But first each of them looks to see where the hand is, and then each decides where it should go, and only then do they take turns. By the time the second one pushes, he is pushing from a place that the hand has left.</p>
<p>He thought about it while filing a pivot. "So they should not look first."</p>
<p>Exactly. They should say <em>one forward</em>, and not <em>put it at nine</em>:</p>
<pre><code>-- wrong: read it, add one, write it back
update post set likes = 9

-- right: say what happened, let the ledger count
insert into post_like (post, person) values ('p', 'ann')</code></pre>
<p>"We have had that since the fusee," he said, and went back to his pivot. I have looked it up, and in a manner of speaking we have.</p>`,
  },
  {
    author: 'tobias',
    title: 'In praise of the second-best tool',
    daysAgo: 96.4,
    scene: 'hills',
    type: 'jpeg',
    likedBy: ['wiebke'],
    content: `<p>The best screwdriver I own is Swiss, has a ball bearing in its cap, and lives in a drawer lined with felt. I use it about twice a year.</p>
<p>The second-best one is on the bench, under the paper, behind the tea. It is bent a little from the time I opened a tin with it. I know to a hair how much it gives before it slips. When something has to be done at once and properly, that is what my hand closes on.</p>
<p>I suspect most good work is done with second-best tools. The best ones make you careful of the tool; the second-best let you be careful of the work.</p>`,
  },
  {
    author: 'tobias',
    title: 'Ideas for the shop window (keep to myself until spring)',
    daysAgo: 27.3,
    scene: 'windows',
    type: 'jpeg',
    isInactive: true,
    likedBy: [],
    content: `<p>Forty clocks, all stopped, each at a time that mattered to somebody. A card beside each: <em>when the letter came</em>. <em>When the rain stopped and we could go out</em>.</p>
<p>Question: do I ask people for their times, or make them up? If I ask, I have to be told, and I shall know things about half the street.</p>
<p>Also: who winds them afterwards?</p>`,
  },
]
