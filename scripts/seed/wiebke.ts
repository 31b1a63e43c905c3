// What Wiebke Brandt wrote: a ferry pilot with an ear for words. Only data.
import type { SeedPost } from './people.ts'

export const WIEBKE_POSTS: SeedPost[] = [
  {
    author: 'wiebke',
    title: 'Binnenschifferpatentverlängerungsantragsformular, or: a morning at the harbour office',
    daysAgo: 4.5,
    scene: 'harbour',
    type: 'jpeg',
    likedBy: ['noor', 'tobias', 'pia', 'amara'],
    content: `<p>It is one word and it is on the door. Taken apart from the back, as one has to with us, it says: the form for the application for the extension of the licence of a person who steers ships on inland waters. Put together again it fits on a brass plate of thirty centimetres, and that, I think, is the real reason why we build them.</p>
<p>English would need a paragraph. English would also, by the time it got to the end of the paragraph, have begun to wonder whether the form was necessary.</p>
<h2>Three rules for long words</h2>
<ol><li>Read from the back. The last part is what it <em>is</em>. Everything before that is merely what it is about.</li><li>Breathe where the s is. <em>Verlängerungs-antrags-formular</em>: the s is a hinge, and a hinge wants to move.</li><li>Never be the first to laugh. The clerk has heard it.</li></ol>
<p>My application was granted at 9:40. The stamp had no room for the word and said only <strong>OK</strong>.</p>`,
  },
  {
    author: 'wiebke',
    title: 'Fog has a sound',
    daysAgo: 15.2,
    scene: 'sea',
    type: 'jpeg',
    likedBy: ['amara', 'pia'],
    content: `<p>People say that fog swallows sound. It does not. It moves it about, the way a tidy guest moves your things.</p>
<p>The bell of the red buoy, which on clear days lives off the port bow, came to me this morning from behind and slightly above. A dog that I know to be on the north bank barked from the engine room. Somewhere in front of us a man coughed, close enough to be handed a handkerchief, and we never saw him.</p>
<p>You learn not to believe any single noise. You believe the second one, if it agrees with the first, and you believe the radar, and most of all you believe your own slowness. At four knots most things can be forgiven.</p>
<blockquote><p>In fog, said the old pilot who taught me, there are two kinds of captain: those who are late, and those who are in the newspaper.</p></blockquote>
<p>We were forty minutes late. The passengers stood at the rail in a row and listened, and nobody looked at a telephone. I have never had so quiet a boat.</p>`,
  },
  {
    author: 'wiebke',
    title: 'What goes across on a Tuesday',
    daysAgo: 37.7,
    scene: 'harbour',
    type: 'png',
    likedBy: ['tobias'],
    content: `<p>I kept count for one ordinary day, because somebody at the shipping office asked me who still uses the ferry now that there is a bridge.</p>
<table><thead><tr><th scope="col">Crossing</th><th scope="col">People</th><th scope="col">Remarks</th></tr></thead><tbody><tr><td>05:50</td><td>31</td><td>bakery shift, asleep on their feet</td></tr><tr><td>07:20</td><td>64</td><td>school; one tuba</td></tr><tr><td>10:00</td><td>9</td><td>the walking club, down from eleven</td></tr><tr><td>13:15</td><td>22</td><td>a wardrobe, carried; we waited for it</td></tr><tr><td>18:05</td><td>57</td><td>the tuba, going home</td></tr><tr><td>21:40</td><td>2</td><td>not together when they boarded</td></tr></tbody></table>
<p>The bridge carries eleven thousand cars a day. I do not dispute it. But nobody has ever stepped off a bridge and said good night to it.</p>`,
  },
  {
    author: 'wiebke',
    title: 'My grandmother’s knots',
    daysAgo: 62.0,
    scene: 'lamp',
    type: 'jpeg',
    likedBy: ['amara', 'noor', 'pia', 'tobias'],
    content: `<p>She could not swim and would not set foot on a boat, and she tied every line in my grandfather's cutter. He did the sailing. She did the holding on.</p>
<p>She taught me at the kitchen table, with the washing line and a chair leg. The bowline, which does not slip. The clove hitch, which is quick to put on and quick to regret. And one of her own, with no name, for keeping the pantry door shut against the dog.</p>
<h2>The one without a name</h2>
<p>I have shown it to every deckhand I ever sailed with. Twice round, back under itself, and then a small tuck that looks like a mistake. Take the tuck away and it falls apart at once. Leave it in and it will hold a dog, or a barge.</p>
<p>In her last spring her hands would no longer close. I tied it for her on the rail of the bed, so she could look at it. She looked for some time. "Too tight," she said. "A knot is a promise, not a threat."</p>`,
  },
  {
    author: 'wiebke',
    title: 'Small dictionary of river words',
    daysAgo: 104.9,
    scene: 'sea',
    type: 'jpeg',
    likedBy: [],
    content: `<p>For my cousin, who lives on a hill.</p>
<h3>Kabbelwasser</h3><p>Water that cannot make up its mind. Wind from one side, tide from the other, and the surface between them like a family dinner.</p>
<h3>Schlick</h3><p>What is left when the river goes out. Not mud: mud is an accident, Schlick is a material. Children are made of it from May to September.</p>
<h3>Dwars</h3><p>Across, at a right angle, in the way. Used of currents, of ships, and of my cousin.</p>
<h3>Feierabend</h3><p>Not a river word, but the river knows it. There is a quarter of an hour at slack tide when nothing pulls in any direction. The buoys stand up straight. One could almost believe that it was over for the day.</p>`,
  },
  {
    author: 'wiebke',
    title: 'Ice',
    daysAgo: 151.3,
    scene: 'mountains',
    type: 'jpeg',
    likedBy: ['pia', 'noor'],
    content: `<p>It came down in the night, in plates the size of tables, and by six the whole river was moving and hissing and almost white.</p>
<p>You do not steer through that. You lean. You find the gap that is going your way and lean on it until it lets you in, and then you look for the next. The hull says what it thinks. It is like being inside a drum that somebody is sweeping.</p>
<p>Halfway across I cut the engine, for ten seconds, only to hear it. The ice took us along. A whole country was going by, unhurried, towards the sea, and for ten seconds we were part of what it was carrying.</p>`,
  },
]
