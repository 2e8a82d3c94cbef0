"""The app's addresses, one short list per page."""

from django.urls import URLPattern, path

from scoring.views import (
    adjust,
    change,
    check,
    chips,
    close,
    club,
    deal,
    dispute,
    doors,
    drafts,
    enter,
    history,
    home,
    house_rules,
    invite,
    ledger,
    live,
    more,
    name,
    new,
    people,
    rulebook,
    stakes,
    table,
)

doors_in: list[URLPattern] = [
    path("l/<str:secret>", doors.come_in, name="come-in"),
    path("s/<str:public_id>/kept/", doors.kept, name="kept"),
    path("forget/", doors.forget, name="forget"),
]

the_club: list[URLPattern] = [
    path("c/<str:public_id>/", club.sessions, name="club"),
    path("c/<str:public_id>/again/", club.again, name="again"),
    path("c/<str:public_id>/standings/", club.standings, name="standings"),
    path("c/<str:public_id>/players/", club.roster, name="roster"),
    path("c/<str:public_id>/players/<int:number>/", club.player, name="player"),
    path("c/<str:public_id>/stakes/", club.usual_stake, name="usual-stake"),
    path("c/<str:public_id>/more/", club.more, name="club-more"),
    path("c/<str:public_id>/rules/forget/", club.forget_rules, name="club-forget-rules"),
    path("c/<str:public_id>/export.json", club.export, name="club-export"),
    path("c/<str:public_id>/delete/", club.delete, name="club-delete"),
]

invitations: list[URLPattern] = [
    path("c/<str:public_id>/links/", invite.of_club, name="club-links"),
    path("c/<str:public_id>/links/<str:link_id>/revoke/", invite.revoke, name="revoke-link"),
    path("c/<str:public_id>/links/<str:link_id>/replace/", invite.replace, name="replace-link"),
    path("s/<str:public_id>/links/", invite.of_session, name="session-links"),
]

start: list[URLPattern] = [
    path("", home.home, name="home"),
    path("new/", new.new, name="new"),
]

check_a_foul: list[URLPattern] = [
    path("check/", check.check, name="check"),
    path("check/named/", check.named, name="check-named"),
]

rules: list[URLPattern] = [
    path("rules/", rulebook.rules, name="rules"),
    path("rules/<slug:preset>/", rulebook.preset, name="rule-sheet"),
    path("s/<str:public_id>/rules/", rulebook.of_session, name="session-rules"),
    path("s/<str:public_id>/rules/edit/", house_rules.edit, name="edit-rules"),
    path("s/<str:public_id>/rules/forget/", house_rules.forget, name="forget-rules"),
]

at_the_table: list[URLPattern] = [
    path("s/<str:public_id>/", table.table, name="table"),
    path("s/<str:public_id>/next/", table.following, name="next"),
    path("s/<str:public_id>/penalty/", adjust.penalty, name="penalty"),
    path("s/<str:public_id>/undo/", adjust.undo, name="undo"),
    path("s/<str:public_id>/hand/", enter.enter, name="enter"),
    path("s/<str:public_id>/hand/drafts/", drafts.state, name="drafts"),
    path("s/<str:public_id>/hand/<int:number>/", drafts.draft, name="draft"),
    path("s/<str:public_id>/seat/", drafts.pick, name="seats"),
    path("s/<str:public_id>/seat/<int:number>/", drafts.own, name="own-rows"),
]

between_hands: list[URLPattern] = [
    path("s/<str:public_id>/more/", more.more, name="more"),
    path("s/<str:public_id>/chips/", chips.chips, name="chips"),
    path("s/<str:public_id>/chips/forgotten/", chips.forgotten, name="forgotten"),
    path("s/<str:public_id>/people/", people.people, name="people"),
    path("s/<str:public_id>/stakes/", stakes.stakes, name="stakes"),
    path("s/<str:public_id>/side-bet/", adjust.side_bet, name="side-bet"),
    path("s/<str:public_id>/fee/", adjust.fee, name="fee"),
    path("s/<str:public_id>/history/", history.history, name="history"),
    path("s/<str:public_id>/name/", name.name, name="name"),
    path("s/<str:public_id>/close/", close.close, name="close"),
    path("s/<str:public_id>/reopen/", close.reopen, name="reopen"),
]

settled_hands: list[URLPattern] = [
    path("s/<str:public_id>/ledger/", ledger.ledger, name="ledger"),
    path("s/<str:public_id>/ledger.xlsx", ledger.workbook, name="workbook"),
    path("s/<str:public_id>/hands/<int:number>/", deal.deal, name="deal"),
    path("s/<str:public_id>/hands/<int:number>/correct/", change.correct, name="correct"),
    path("s/<str:public_id>/hands/<int:number>/correct/named/", change.named, name="correct-named"),
    path("s/<str:public_id>/hands/<int:number>/void/", change.void, name="void"),
    path("s/<str:public_id>/hands/<int:number>/restore/", change.restore, name="restore"),
    path("s/<str:public_id>/hands/<int:number>/flag/", dispute.flag, name="flag"),
    path("s/<str:public_id>/hands/<int:number>/flags/<int:raised>/resolve/", dispute.resolve, name="resolve"),
]

# The stream itself, s/<public_id>/live, is answered beside Django: ofcscore/streams.py.
following_live: list[URLPattern] = [
    path("s/<str:public_id>/version", live.version, name="version"),
    path("s/<str:public_id>/screen/", live.screen, name="screen"),
]

urlpatterns: list[URLPattern] = [
    *doors_in,
    *the_club,
    *invitations,
    *start,
    *check_a_foul,
    *rules,
    *at_the_table,
    *between_hands,
    *settled_hands,
    *following_live,
]
